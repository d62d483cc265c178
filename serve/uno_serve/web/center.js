// The middle of the table: piles, colour, direction, penalty.
import { h, s, fillWith } from "./dom.js";
import { cardBack, cardFace, colorSign } from "./cards.js";
import { cardWords, colorWords } from "./words.js";
import { t, countCards } from "./ui.js";

const PILE_ACTIONS = ["draw", "take"];
const HUGE_PENALTY = 10;

export class Center {
  /** @param act called when the draw pile is clicked and that is a legal answer */
  constructor(act) {
    this.act = act;
    this.flights = 0;
    this.landing = null; // the flight of the top card, while it is on its way
    this.pile = h("button", { type: "button", class: "pile", id: "draw-pile" });
    this.discard = h("div", { class: "discard", id: "discard" });
    this.facts = h("div", { class: "facts" });
    this.ring = s("svg", { class: "ring", viewBox: "-110 -70 220 140", "aria-hidden": "true" });
    this.piles = h("div", { class: "piles" }, this.ring, this.pile, this.discard);
    this.element = h("div", { class: "center" }, h("div", { class: "middle" }, this.piles, this.facts));
    this.pile.addEventListener("click", () => this.action && this.act(this.action));
  }

  /** @param flies whether the top card sets off now: then the one before is shown until it lands */
  show(state, flies = false) {
    const { view } = state;
    this.action = PILE_ACTIONS.find((action) => state.legal.some((each) => each.action === action));
    this.pile.disabled = !this.action;
    this.pile.dataset.action = this.action ?? "";
    this.pile.setAttribute("aria-label", t("drawPile", { n: countCards(view.draw_pile_size) }));
    fillWith(this.pile, cardBack(), h("span", { class: "count" }, String(view.draw_pile_size)));
    this.element.dataset.color = view.active_color ?? "none";
    if (flies) this.landing = this.flights += 1;
    this.showDiscard(view, this.landing !== null);
    this.facts.setAttribute("role", "group");
    const top = view.top_card ?? view.discard?.at(-1);
    this.facts.setAttribute("aria-label", top ? t("topCard", { card: cardWords(top) }) : "");
    fillWith(this.facts, this.pieces(view));
    this.turn(view.direction);
  }

  showDiscard(view, flies) {
    const top = view.top_card ?? view.discard?.at(-1);
    const under = (view.discard ?? []).slice(-3, -1);
    this.discard.title = t("discardPile", { n: countCards(view.discard?.length ?? 1) });
    const face = top && cardFace(top);
    if (flies) face?.classList.add("landing");
    fillWith(this.discard, under.map((card) => h("span", { class: "under", "aria-hidden": "true" }, cardFace(card))), face, this.penalty(view));
  }

  /** The penalty that waits, on the pile; it pops when it grows. */
  penalty(view) {
    const amount = view.pending?.amount ?? 0;
    const grows = amount > (this.amount ?? 0);
    this.amount = amount;
    if (!amount) return null;
    return h("span", { class: `pending${grows ? " grows" : ""}${amount >= HUGE_PENALTY ? " huge" : ""}`, role: "img", "aria-label": t("penalty", { n: `+${amount}` }) }, `+${amount}`);
  }

  /** A flying card has arrived, or all of them if none is named; one that has been played upon changes nothing. */
  land(flight = this.landing) {
    if (flight !== this.landing) return;
    this.landing = null;
    this.discard.querySelector(".landing")?.classList.remove("landing");
  }

  pieces(view) {
    const pieces = [];
    if (view.active_color) {
      pieces.push(h("span", { class: `fact color ${view.active_color}` }, colorSign(view.active_color), t("activeColor", { color: colorWords(view.active_color) })));
    }
    if (view.hyper_color) pieces.push(h("span", { class: "fact" }, colorSign(view.hyper_color), t("hyper", { color: colorWords(view.hyper_color) })));
    pieces.push(h("span", { class: "fact quiet" }, view.direction === 1 ? "↻" : "↺", h("span", { class: "way" }, t(view.direction === 1 ? "clockwise" : "anticlockwise"))));
    if (view.set_aside_size) pieces.push(h("span", { class: "fact quiet" }, t("setAside", { n: view.set_aside_size })));
    return pieces;
  }

  /** Two arrows around the piles show which way play goes; seats count clockwise. */
  turn(direction) {
    if (direction === this.direction) return;
    this.ring.classList.toggle("turned", this.direction !== undefined);
    this.direction = direction;
    const arrow = (flip) => s("g", { transform: `rotate(${flip ? 180 : 0}) scale(1,${direction})` },
      s("path", { d: "M -88 38 Q -114 0 -90 -36", class: "arc" }),
      s("path", { d: "M -82 -33 L -98 -43 L -81 -53 Z", class: "tip" }));
    fillWith(this.ring, arrow(false), arrow(true));
  }
}
