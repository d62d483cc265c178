// Quick reactions: six symbols, drawn here, shown for a moment at the plate of whoever sent one.
import { h, s, toast } from "./dom.js";
import { change, settings } from "./settings.js";
import { t } from "./ui.js";

const SECONDS = 3;
const FACE = ["circle", { cx: 12, cy: 12, r: 10, class: "skin" }];
const eyes = (y) => [["circle", { cx: 8.5, cy: y, r: 1.5, class: "ink" }], ["circle", { cx: 15.5, cy: y, r: 1.5, class: "ink" }]];
const line = (d) => ["path", { d, class: "line" }];

/** Each symbol as shapes in a square of 24. */
const DRAWINGS = {
  bravo: [["path", { d: "M12 2l2.9 6.3 6.9.8-5.1 4.7 1.4 6.8L12 17.2l-6.1 3.4 1.4-6.8L2.2 9.1l6.9-.8z", class: "gold" }]],
  laugh: [FACE, line("M6.5 9.5q2-2.4 4 0"), line("M13.5 9.5q2-2.4 4 0"), ["path", { d: "M6.5 13h11a5.5 5.5 0 0 1-11 0z", class: "ink" }]],
  wow: [FACE, ...eyes(9.5), ["ellipse", { cx: 12, cy: 16, rx: 2.4, ry: 3.2, class: "ink" }]],
  ouch: [FACE, line("M6.5 8l3 2-3 2"), line("M17.5 8l-3 2 3 2"), line("M7.5 17.5q2.2-3 4.5 0t4.5-.6")],
  thanks: [["path", { d: "M12 20.5C5 15.6 2.4 12.3 2.4 8.6A5 5 0 0 1 12 6.9a5 5 0 0 1 9.6 1.7c0 3.7-2.6 7-9.6 11.9z", class: "heart" }]],
  hurry: [["circle", { cx: 12, cy: 13, r: 8.5, class: "clock-face" }], line("M12 8.5V13l3 2"), line("M9.5 2.5h5"), line("M12 2.5v2")],
};
export const SYMBOLS = Object.keys(DRAWINGS);
const NAMES = { bravo: "reactBravo", laugh: "reactLaugh", wow: "reactWow", ouch: "reactOuch", thanks: "reactThanks", hurry: "reactHurry" };

export const symbolWords = (symbol) => t(NAMES[symbol] ?? "reactBravo");

export function symbolPicture(symbol) {
  return s("svg", { class: "symbol", viewBox: "0 0 24 24", "aria-hidden": "true" }, (DRAWINGS[symbol] ?? []).map(([tag, props]) => s(tag, props)));
}

/** The button that opens the choice of symbols. `send` gets the symbol. */
export function reactionButton(send) {
  const menu = h("div", { class: "reaction-menu", role: "group", "aria-label": t("react"), hidden: true });
  const toggle = (open) => {
    menu.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    if (open) menu.querySelector("button")?.focus();
  };
  const button = h("button", {
    type: "button", class: "tool", id: "react", "aria-expanded": "false", "aria-label": t("react"), title: t("react"), onclick: () => toggle(menu.hidden),
  }, symbolPicture("laugh"));
  menu.append(...SYMBOLS.map((symbol) => h("button", {
    type: "button", class: "tool", "data-symbol": symbol, "aria-label": symbolWords(symbol), title: symbolWords(symbol),
    onclick: () => { toggle(false); button.focus(); send(symbol); },
  }, symbolPicture(symbol))), muteSwitch());
  const box = h("span", { class: "reaction-box" }, button, menu);
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !menu.hidden) { toggle(false); button.focus(); }
  });
  box.addEventListener("focusout", (event) => { if (!box.contains(event.relatedTarget)) toggle(false); });
  return box;
}

function muteSwitch() {
  return h("label", { class: "check" },
    h("input", { type: "checkbox", role: "switch", checked: !settings.muted, onchange: (event) => change({ muted: !event.target.checked }) }),
    h("span", {}, t("reactShow")));
}

/** Show a symbol beside the plate of a seat. Plates are drawn anew with each state, so it floats above them. */
export function showReaction({ seat, symbol }, me, names) {
  if (settings.muted || !SYMBOLS.includes(symbol)) return;
  const plate = seat === me ? document.querySelector(".me") : document.querySelector(`.plate[data-seat="${seat}"]`);
  const words = `${names[seat]}: ${symbolWords(symbol)}`;
  document.querySelector(`.reaction[data-seat="${seat}"]`)?.remove();
  if (!plate) return toast(words);
  const bubble = h("div", { class: "reaction", "data-seat": String(seat), "data-symbol": symbol, role: "status", "aria-label": words }, symbolPicture(symbol));
  document.body.append(bubble);
  const at = plate.getBoundingClientRect();
  const size = bubble.getBoundingClientRect();
  bubble.style.left = `${Math.min(Math.max(4, at.right - size.width * 0.6), innerWidth - size.width - 4)}px`;
  bubble.style.top = `${Math.min(Math.max(4, at.top - size.height * 0.4), innerHeight - size.height - 4)}px`;
  setTimeout(() => bubble.remove(), 1000 * SECONDS);
  return bubble;
}
