// The moves of a replay as a list: click one to go there; those the review found costly are marked.
import { h } from "./dom.js";
import { t } from "./ui.js";

export class MoveList {
  /** @param go called with the step of a move that was clicked */
  constructor(go) {
    this.go = go;
    this.rows = new Map();
    this.marks = new Map();
    this.list = h("ol", { class: "moves", tabindex: "0", "aria-label": t("moveList") });
    this.element = h("section", { class: "panel" }, h("h2", {}, t("moveList")), this.list);
  }

  /** @param moves [{step, seat, words}, …] */
  add(moves) {
    for (const { step, seat, words } of moves) {
      const row = h("li", { "data-step-row": String(step), class: seat === null ? "" : `seat-${seat}` },
        h("button", { type: "button", class: "move", onclick: () => this.go(step) }, h("span", { class: "number" }, String(step)), h("span", {}, words)));
      this.rows.set(step, row);
      this.list.append(row);
      this.markRow(step);
    }
  }

  /** @param marks step → words, of moves worth a second look */
  mark(marks) {
    this.marks = marks;
    for (const step of this.rows.keys()) this.markRow(step);
  }

  markRow(step) {
    const row = this.rows.get(step);
    row.querySelector(".cost")?.remove();
    const words = this.marks.get(step);
    if (words) row.firstChild.append(h("span", { class: "cost" }, words));
  }

  show(step) {
    this.current?.removeAttribute("aria-current");
    this.current = this.rows.get(step);
    if (!this.current) return;
    this.current.setAttribute("aria-current", "step");
    // The list scrolls, the page does not.
    const top = this.current.offsetTop - this.list.offsetTop;
    if (top < this.list.scrollTop || top > this.list.scrollTop + this.list.clientHeight - 60) this.list.scrollTop = top - this.list.clientHeight / 2;
  }
}
