// The coach: what a bot would do in your place, and how likely it thinks you are to win.
import { h, fillWith } from "./dom.js";
import { actionWords } from "./words.js";
import { settings, change } from "./settings.js";
import { language } from "./language.js";
import { t } from "./ui.js";

/** A share as people write it: 23% in English, 23 % in French. */
export const percent = (part) => new Intl.NumberFormat(language(), { style: "percent" }).format(part);

/** How often the coach's bot would choose an action, to put on its card or button. */
export function chanceBadge(action, hints) {
  const share = hints?.shares.get(action);
  return share === undefined ? null : h("span", { class: `chance${action === hints.action ? " best" : ""}` }, percent(share));
}

export class Coach {
  /** @param onchange called when the coach is switched or another bot is chosen */
  constructor(bots, onchange) {
    const wanted = bots.bots.some((bot) => bot.name === settings.coachBot) ? settings.coachBot : bots.default;
    this.bot = wanted;
    this.words = h("div", { class: "coach-words", role: "status" });
    const pick = h("select", { "aria-label": t("coachBot"), onchange: (event) => { this.bot = event.target.value; change({ coachBot: this.bot }); onchange(); } },
      bots.bots.map((bot) => h("option", { value: bot.name, selected: bot.name === wanted, title: bot.description }, bot.name)));
    const toggle = h("input", { type: "checkbox", role: "switch", id: "coach", checked: settings.coach, onchange: (event) => { change({ coach: event.target.checked }); onchange(); } });
    this.element = h("section", { class: "panel coach" },
      h("div", { class: "row" }, h("label", { for: "coach" }, t("coach")), toggle, pick), this.words);
  }

  get on() {
    return settings.coach;
  }

  clear() {
    fillWith(this.words);
    return null;
  }

  /** Say what the bot advises; the hints that cards and buttons show. */
  show(advice, state, table) {
    const estimate = advice.win_estimate ?? null;
    fillWith(this.words,
      h("p", { class: "advised" }, t("advised"), " ", h("strong", {}, actionWords(advice.action, state.seat, state.view, table))),
      h("p", { class: estimate === null ? "hint" : "estimate" }, estimate === null ? t("noEstimate") : t("chance", { n: percent(estimate) }),
        estimate !== null && h("span", { class: "bar", "aria-hidden": "true" }, h("span", { style: `width: ${100 * estimate}%` }))));
    return { action: advice.action, shares: new Map(advice.legal.map((each) => [each.action, each.probability])) };
  }
}
