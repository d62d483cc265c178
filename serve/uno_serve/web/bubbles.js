// The story at the plates: who did what to whom, in a word or two, where it happened.
import { h } from "./dom.js";
import { colorSign } from "./cards.js";
import { bubbleWords } from "./words.js";

const SHOWN = 3200;
const MOST_LINES = 2;
const STRONG = new Set(["uno-call", "catch", "challenge", "jump-in", "sum", "eliminate"]);

/**
 * What an event says at the plates: [[seat, words, is it strong], …].
 * @param event with its `reason`, if it has one
 */
function saidBy(event, table) {
  const words = (kind, values) => bubbleWords(kind, values, table);
  const { seat, reason } = event;
  switch (event.type) {
    case "draw":
      return [[seat, words(reason?.by === undefined || reason?.by === null || reason.why === "team" ? "draw" : "drawFrom", { n: event.count ?? event.cards?.length ?? 1, by: reason?.by })]];
    case "skip": return [[seat, words("skip")]];
    case "uno-call": return [[event.holder, words("uno")]];
    case "catch": return [[event.holder, words("caught")]];
    case "challenge": return [[seat, words(event.bluff ? "bluff" : "honest")]];
    case "jump-in": return [[seat, words("jumpIn")]];
    case "sum": return [[seat, words("sum", { n: event.points })]];
    case "swap": return [[seat, words("swap", { by: event.other })], [event.other, words("swap", { by: seat })]];
    case "pass": return [[seat, words("pass")]];
    case "give": return [[seat, words("give", { by: event.to })]];
    case "target": return [[seat, words("give", { by: event.other })]];
    case "eliminate": return [[seat, words("eliminate", { n: event.amount })]];
    case "out": return [[seat, words("out")]];
    case "color": case "roulette": return [[seat, colorSign(event.color)]];
    default: return [];
  }
}

/**
 * Let the plates say what happened.
 * @param place the element of a seat, which carries the bubble
 */
export function sayEvents(events, table, place) {
  const lines = new Map();
  for (const event of events) {
    for (const [seat, words] of saidBy(event, table)) {
      if (!lines.has(seat)) lines.set(seat, []);
      lines.get(seat).push({ words, strong: STRONG.has(event.type) });
    }
  }
  for (const [seat, said] of lines) {
    const plate = place(seat);
    if (!plate) continue;
    plate.querySelector(".say")?.remove();
    const strong = said.some((line) => line.strong);
    // Read out from the log, so not a second time here.
    const bubble = h("span", { class: `say${strong ? " strong" : ""}`, "aria-hidden": "true" },
      said.slice(-MOST_LINES).map((line) => h("span", {}, line.words)));
    plate.append(bubble);
    setTimeout(() => bubble.remove(), SHOWN);
  }
}
