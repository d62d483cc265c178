// The end of a round: who won, every hand open, points counting up, totals.
import { h } from "./dom.js";
import { cardFace, inOrder } from "./cards.js";
import { animated } from "./settings.js";
import { t } from "./ui.js";

const COUNTING = 900;

/** What the last round-end among events told: {round, winners, hands}; null if there is none. */
export function roundEnd(events) {
  const at = events.findLastIndex((event) => event.type === "round-end");
  if (at < 0) return null;
  const hands = new Map();
  for (const event of events.slice(at + 1)) {
    if (event.type === "hand" && event.cards) hands.set(event.seat, event.cards);
    else if (event.type === "deal") break;
  }
  return { round: events[at].round, winners: events[at].winners, hands };
}

/** A number that counts up from another; at once where nothing may move. */
export function countUp(from, to) {
  const text = h("span", { class: "counted", "data-to": String(to) }, String(animated() ? from : to));
  if (!animated() || from === to) return text;
  const start = performance.now();
  const step = (now) => {
    const part = Math.min(1, (now - start) / COUNTING);
    text.textContent = String(Math.round(from + (to - from) * part));
    if (part < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
  return text;
}

/** Who won, as a heading. */
export function winnerWords(winners, { me, names }) {
  if (winners.includes(me)) return t("youWon");
  return winners.length ? t("won", { who: winners.map((seat) => names[seat]).join(" · ") }) : t("noWinner");
}

/**
 * Every seat with its open hand, the points of the round and the total.
 * @param end what `roundEnd` found
 * @param line of the score sheet: {points, scores}
 * @param before totals before the round
 */
export function handsTable(end, line, before, table, isMatch) {
  const seats = table.names.map((_, seat) => seat);
  // Winners first; then who was closest.
  const rank = (seat) => (end.winners.includes(seat) ? -1 : end.hands.get(seat)?.length ?? 0);
  seats.sort((a, b) => rank(a) - rank(b) || a - b);
  return h("ul", { class: "end-hands" }, seats.map((seat) => {
    const cards = inOrder(end.hands.get(seat) ?? []);
    return h("li", { class: end.winners.includes(seat) ? "won" : "", "data-seat": String(seat) },
      h("strong", {}, end.winners.includes(seat) && h("span", { class: "crown", "aria-hidden": "true" }, "♛ "), table.names[seat]),
      h("span", { class: "end-cards" }, cards.length ? cards.map((card) => cardFace(card)) : h("em", {}, t("noCards"))),
      h("span", { class: "end-points" }, h("span", {}, "+", countUp(0, line?.points[seat] ?? 0)),
        isMatch && h("span", { class: "end-total" }, "Σ ", countUp(before?.[seat] ?? 0, line?.scores[seat] ?? 0))));
  }));
}

/** The scene between two rounds of a match. */
export function roundScene(end, sheet, table, go) {
  const line = sheet.find((each) => each.round === end.round) ?? sheet.at(-1);
  const before = sheet[sheet.indexOf(line) - 1]?.scores;
  const next = h("button", { type: "button", class: "primary", id: "next-round", onclick: go }, t("nextRound"));
  return h("section", { class: `panel box scene round-end${end.winners.includes(table.me) ? " won" : ""}`, role: "dialog", "aria-label": t("roundN", { n: end.round + 1 }) },
    h("p", { class: "hint" }, t("roundN", { n: end.round + 1 })), h("h2", {}, winnerWords(end.winners, table)),
    handsTable(end, line, before, table, true), h("p", { class: "row" }, next));
}
