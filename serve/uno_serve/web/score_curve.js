// The score sheet as a curve: one line a player, by colour and by dashes, with its name at the end.
import { h, s } from "./dom.js";
import { t } from "./ui.js";

const WIDTH = 340;
const HEIGHT = 150;
const EDGE = { left: 34, right: 84, top: 10, bottom: 22 };
const LEAST_GAP = 11;
const DASHES = ["", "6 3", "2 3", "9 3 2 3", "4 2", "1 2", "8 2", "5 5", "3 1", "10 4"];

/** Labels that would lie on each other move apart, in order. */
function spread(labels) {
  const sorted = [...labels].sort((a, b) => a.y - b.y);
  sorted.forEach((label, n) => { if (n) label.y = Math.max(label.y, sorted[n - 1].y + LEAST_GAP); });
  const over = sorted.length ? sorted.at(-1).y - (HEIGHT - 4) : 0;
  if (over > 0) for (const label of sorted) label.y -= over;
}

/**
 * @param sheet lines with the totals after each round
 * @param target the total that ends the match, or null
 */
export function scoreCurve(sheet, names, target) {
  if (!sheet || sheet.length < 2) return null;
  const most = Math.max(target ?? 0, ...sheet.flatMap((line) => line.scores), 1);
  const least = Math.min(0, ...sheet.flatMap((line) => line.scores));
  const x = (round) => EDGE.left + (round / sheet.length) * (WIDTH - EDGE.left - EDGE.right);
  const y = (score) => HEIGHT - EDGE.bottom - ((score - least) / (most - least)) * (HEIGHT - EDGE.top - EDGE.bottom);
  const labels = names.map((name, seat) => ({ name, seat, y: y(sheet.at(-1).scores[seat]) }));
  spread(labels);
  const line = (seat) => s("polyline", {
    class: `curve seat-${seat}`, "stroke-dasharray": DASHES[seat] || null,
    points: [`${x(0)},${y(0)}`, ...sheet.map((each, n) => `${x(n + 1)},${y(each.scores[seat])}`)].join(" "),
  });
  const words = `${t("sheet")}: ${names.map((name, seat) => `${name} ${sheet.at(-1).scores[seat]}`).join(", ")}`;
  return h("div", { class: "curve-wrap" }, s("svg", { class: "score-curve", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": words },
    s("path", { class: "axis", d: `M ${x(0)} ${EDGE.top} V ${y(least)} H ${x(sheet.length)}` }),
    target && s("path", { class: "goal", d: `M ${x(0)} ${y(target)} H ${x(sheet.length)}` }),
    target && s("text", { x: EDGE.left - 4, y: y(target) + 4, class: "tick" }, String(target)),
    s("text", { x: EDGE.left - 4, y: y(0) + 4, class: "tick" }, "0"),
    s("text", { x: x(sheet.length), y: HEIGHT - 6, class: "tick" }, t("roundN", { n: sheet.length })),
    names.map((_, seat) => line(seat)),
    labels.map(({ name, seat, y: at }) => s("text", { x: x(sheet.length) + 5, y: at + 3, class: `label seat-${seat}` }, name.length > 12 ? `${name.slice(0, 11)}…` : name))));
}
