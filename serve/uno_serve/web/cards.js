// Cards as pictures: every face is a symbol of the sprite cards.svg, drawn by the project itself.
import { h, s } from "./dom.js";
import { cardWords, colorWords } from "./words.js";

/** The picture of a face, or of the back. */
export function cardPicture(name, attributes = {}) {
  const symbol = `cards.svg#card-${name.replace("+", "-")}`;
  return s("svg", { class: "card-picture", viewBox: "0 0 100 150", "aria-hidden": "true", ...attributes },
    s("use", { href: symbol }));
}

/** A card that is only looked at. */
export function cardFace(name) {
  return h("span", { class: "card", role: "img", "aria-label": cardWords(name) }, cardPicture(name));
}

/** A face-down card. */
export const cardBack = () => h("span", { class: "card", "aria-hidden": "true" }, cardPicture("back"));

const SIGNS = {
  red: ["polygon", { points: "0,-9 9.5,7.5 -9.5,7.5" }],
  yellow: ["circle", { r: 8.5 }],
  green: ["rect", { x: -7.6, y: -7.6, width: 15.2, height: 15.2, rx: 1.2 }],
  blue: ["polygon", { points: "0,-10 8.6,0 0,10 -8.6,0" }],
};

/** The sign of a colour, so that nothing is said by colour alone. */
export function colorSign(color) {
  const [shape, attributes] = SIGNS[color];
  return s("svg", { class: `sign ${color}`, viewBox: "-12 -12 24 24", role: "img", "aria-label": colorWords(color) },
    s(shape, attributes));
}

export const COLORS = ["red", "yellow", "green", "blue"];

/** The order in which a hand is held: by colour, then by kind. */
export function inOrder(cards) {
  const rank = (name) => {
    const color = COLORS.findIndex((each) => name.startsWith(`${each}-`));
    const kind = name.replace(/^\w+?-/, "").replace("+give", "");
    const number = /^\d$/.test(kind) ? Number(kind) : 20 + kind.charCodeAt(0);
    return color < 0 ? 4000 + name.length : color * 500 + number;
  };
  return [...cards].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}
