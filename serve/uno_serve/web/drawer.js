// The side of a table: coach, sheet and log beside it where there is room, behind a button on a phone.
import { h } from "./dom.js";
import { change, settings } from "./settings.js";
import { canVibrate, play } from "./sound.js";
import { t } from "./ui.js";

/** Switches for what the page may do besides showing: sound, and on phones vibration. */
export function feelPanel() {
  const toggle = (key) => h("label", { class: "check" },
    h("input", { type: "checkbox", id: key, checked: Boolean(settings[key]), onchange: (event) => { change({ [key]: event.target.checked }); play("turn"); } }),
    h("span", {}, t(key)));
  return h("section", { class: "panel row feel" }, toggle("sound"), canVibrate() && toggle("vibration"));
}

export class Drawer {
  /** @param panels what it holds, from top to bottom */
  constructor(panels) {
    this.shut = h("button", { type: "button", class: "drawer-shut", "aria-label": t("close"), onclick: () => this.open(false) }, "✕");
    this.element = h("aside", { class: "side", id: "table-side", "aria-label": t("log") }, this.shut, panels);
    this.button = h("button", { type: "button", class: "tool", id: "open-side", "aria-label": t("menu"), title: t("menu"), "aria-expanded": "false", "aria-controls": "table-side", onclick: () => this.open(!this.isOpen) },
      h("span", { "aria-hidden": "true" }, "☰"));
  }

  get isOpen() {
    return this.element.classList.contains("open");
  }

  open(wanted) {
    if (wanted === this.isOpen) return;
    this.element.classList.toggle("open", wanted);
    this.button.setAttribute("aria-expanded", String(wanted));
    (wanted ? this.shut : this.button).focus();
  }
}
