// The coach: what a bot would do in your place, and how likely it thinks you are to win.
import { h, fillWith } from "./dom.js";
import { actionWords } from "./words.js";
import { settings, change } from "./settings.js";
import { language } from "./language.js";
import { allLevels, levelOf, titleOf } from "./levels.js";
import { t } from "./ui.js";

/** The strongest levels teach; weaker ones err on purpose. */
const TEACHERS = 2;

/** A share as people write it: 23% in English, 23 % in French. */
export const percent = (part) => new Intl.NumberFormat(language(), { style: "percent" }).format(part);

/** How often the coach's bot would choose an action, to put on its card or button. */
export function chanceBadge(action, hints) {
  const share = hints?.shares.get(action);
  return share === undefined ? null : h("span", { class: `chance${action === hints.action ? " best" : ""}` }, percent(share));
}

/** Bots to choose from: by level, then those with a name of their own. */
function coaches(bots, wanted) {
  const option = (bot, words, title) => h("option", { value: bot, selected: bot === wanted, title }, words);
  const teachers = allLevels().slice(-TEACHERS).filter((level) => bots.bots.some((bot) => bot.name === level.bot));
  const others = bots.bots.filter((bot) => !levelOf(bot.name) || (bot.name === wanted && !teachers.some((level) => level.bot === wanted)));
  return [teachers.map((level) => option(level.bot, titleOf(level), level.bot)),
    h("optgroup", { label: t("advanced") }, others.map((bot) => option(bot.name, bot.name, bot.description)))];
}

export class Coach {
  /** @param onchange called when the coach is switched or another bot is chosen */
  constructor(bots, onchange) {
    const usual = levelOf(bots.default) ? allLevels().at(-1).bot : bots.default;
    const wanted = bots.bots.some((bot) => bot.name === settings.coachBot) ? settings.coachBot : usual;
    this.bot = wanted;
    this.words = h("div", { class: "coach-words", role: "status" });
    const pick = h("select", { "aria-label": t("coachBot"), onchange: (event) => { this.bot = event.target.value; change({ coachBot: this.bot }); onchange(); } },
      ...coaches(bots, wanted));
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
