// The hand in front: lively cards are legal, the others say why they are not.
import { h, fillWith, toast } from "./dom.js";
import { cardPicture, inOrder } from "./cards.js";
import { cardWords, colorWords } from "./words.js";
import { chanceBadge } from "./coach.js";
import { t } from "./ui.js";

export class Hand {
  /** @param play called with the action of the card that was chosen */
  constructor(play) {
    this.play = play;
    this.list = h("div", { class: "hand", role: "group", id: "hand", tabindex: "-1", onkeydown: (event) => this.walk(event) });
    this.element = this.list;
  }

  /** Show the cards of a state; `hints` are the coach's. */
  show(state, hints) {
    const view = state.view;
    const cards = inOrder(view.hand ?? []);
    const actions = new Map();
    for (const { action } of state.legal) {
      const [verb, card] = action.split(" ");
      if ((verb === "play" || verb === "give") && card) actions.set(card, action);
    }
    const focused = document.activeElement?.dataset?.card;
    this.list.setAttribute("aria-label", t("yourHand"));
    this.list.classList.toggle("asked", actions.size > 0);
    this.list.style.setProperty("--count", String(Math.max(cards.length, 1)));
    fillWith(this.list, cards.length ? cards.map((card) => this.card(card, actions.get(card), state, hints)) : h("p", { class: "hint" }, t("noCards")));
    if (focused) this.list.querySelector(`[data-card="${CSS.escape(focused)}"]`)?.focus();
  }

  card(card, action, state, hints) {
    const words = cardWords(card);
    const chance = action ? chanceBadge(action, hints) : null;
    const label = t(action ? "playable" : "notPlayable", { card: words });
    return h("button", {
      type: "button", class: `card hand-card ${action ? "lively" : "still"}`, "data-card": card,
      "data-action": action ?? null, "aria-disabled": action ? null : "true",
      "aria-label": chance ? `${label}, ${chance.textContent}` : label, title: words,
      onclick: () => (action ? this.play(action) : toast(whyNot(card, state))),
    }, cardPicture(card), chance);
  }

  /** Left and right move between lively cards. */
  walk(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const lively = [...this.list.querySelectorAll(".lively")];
    const cards = lively.length ? lively : [...this.list.querySelectorAll(".hand-card")];
    if (!cards.length) return;
    event.preventDefault();
    const at = cards.indexOf(document.activeElement);
    cards.at((at + step + cards.length) % cards.length).focus();
  }

  focusFirst() {
    (this.list.querySelector(".lively") ?? this.list).focus();
  }
}

/** Why a card cannot be played now. */
function whyNot(card, state) {
  const { view, seat } = state;
  const words = cardWords(card);
  if (view.actor !== seat || !state.legal.length) return t("whyTurn");
  if (view.phase === "stack") return t("whyStack", { card: words });
  if (view.phase === "play-drawn") return t("whyDrawn");
  if (view.phase === "play") return t("whyPlay", { card: words, color: colorWords(view.active_color) ?? "" });
  return t("whyOther");
}
