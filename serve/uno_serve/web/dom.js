// Small helpers to build the page: elements without a framework, and no inline handlers or styles.
const SVG = "http://www.w3.org/2000/svg";

/**
 * An element: h("button", {class: "big", onclick: f, "aria-label": "Draw"}, "Draw").
 * Properties that start with "on" are listeners; true sets an empty attribute; null, undefined and
 * false set none.
 */
export function h(tag, props = {}, ...children) {
  return build(document.createElement(tag), props, children);
}

/** The same for SVG. */
export function s(tag, props = {}, ...children) {
  return build(document.createElementNS(SVG, tag), props, children);
}

function build(element, props, children) {
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked" || key === "selected") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Replace what an element holds. */
export function fillWith(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A slider from fast to slow. */
export function slider(props, [least, most]) {
  return h("span", { class: "pace" }, least, h("input", { type: "range", min: 0, ...props }), most);
}

/** A short note at the bottom of the page, read out by screen readers. */
export function toast(text, kind = "note") {
  const box = document.getElementById("toasts");
  const note = h("p", { class: `toast ${kind}` }, text);
  box.append(note);
  setTimeout(() => note.remove(), 4200);
}
