// A page for what went wrong, with a way home.
import { h } from "./dom.js";
import { t } from "./ui.js";

/** @param words what happened; `again`, if given, tries once more */
export function errorPage(words, again) {
  return h("section", { class: "panel box error-page" },
    h("p", { class: "problem", role: "alert" }, words),
    h("p", { class: "row" }, h("a", { class: "button", href: "#/" }, t("toLobby")), h("a", { class: "button", href: "#/replay" }, t("replays")),
      again && h("button", { type: "button", class: "primary", onclick: again }, t("tryAgain"))));
}
