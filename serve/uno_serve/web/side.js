// Beside the table: what happened, and the score sheet.
import { h } from "./dom.js";
import { Causes } from "./causes.js";
import { eventWords } from "./words.js";
import { t } from "./ui.js";

const LONGEST_LOG = 200;

/** The newest event on top. */
export class Log {
  constructor() {
    this.list = h("ol", { class: "log", tabindex: "0", "aria-label": t("log") });
    this.element = h("section", { class: "panel" }, h("h2", {}, t("log")), this.list);
    this.events = [];
    this.causes = new Causes();
  }

  clear() {
    this.events = [];
    this.causes = new Causes();
    this.list.replaceChildren();
  }

  /** Write down what happened, with its reasons; the events with them. */
  add(events, table, rules) {
    const told = events.map((event) => ({ ...event, reason: this.causes.add(event) ?? lostTurn(event, rules) }));
    for (const event of told) {
      const last = this.events.at(-1);
      // Cards thrown off together are told together.
      if (event.type === "discard-all" && last?.type === "discard-all" && last.seat === event.seat) {
        last.cards = [...last.cards, ...event.cards];
        this.line.textContent = eventWords(last, table);
        continue;
      }
      this.events.push({ ...event });
      this.line = h("li", { class: event.seat === table.me ? "own" : "", "data-event": event.type }, eventWords(event, table));
      this.list.prepend(this.line);
    }
    while (this.list.childElementCount > LONGEST_LOG) this.list.lastChild.remove();
    return told;
  }

  /** The latest sentence. */
  get last() {
    return this.list.firstChild?.textContent ?? "";
  }
}

/** Who takes a penalty loses the turn, too, by most rules. */
const lostTurn = (event, rules) => (["take", "accept"].includes(event.type) && rules.penalty_ends_turn !== false ? { why: "lost" } : null);

/** Points of each round and the totals. */
export function sheetTable(sheet, names) {
  if (!sheet?.length) return null;
  const head = h("tr", {}, h("th", { scope: "col" }), names.map((name) => h("th", { scope: "col" }, name)));
  const rows = sheet.map((line) => h("tr", {}, h("th", { scope: "row" }, t("roundN", { n: line.round + 1 })),
    line.points.map((points, seat) => h("td", { class: line.winners.includes(seat) ? "won" : "" }, String(points)))));
  const total = h("tr", { class: "total" }, h("th", { scope: "row" }, t("total")), sheet.at(-1).scores.map((score) => h("td", {}, String(score))));
  return h("div", { class: "sheet-wrap", tabindex: "0", role: "region", "aria-label": t("sheet") },
    h("table", { class: "sheet" }, h("thead", {}, head), h("tbody", {}, rows, total)));
}
