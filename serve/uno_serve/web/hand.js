// The hand in front: raised cards are legal, the others say why they are not.
import { h, fillWith, toast } from "./dom.js";
import { cardPicture, inOrder } from "./cards.js";
import { cardWords, colorWords } from "./words.js";
import { chanceBadge } from "./coach.js";
import { stackOutcome } from "./consequences.js";
import { cancelWords } from "./prompt_words.js";
import { t } from "./ui.js";

const LEAST_STRIP = 44;

export class Hand {
  /** @param play called with the action of the card that was chosen */
  constructor(play) {
    this.play = play;
    this.list = h("div", { class: "hand", role: "group", id: "hand", tabindex: "-1", onkeydown: (event) => this.walk(event), onscroll: () => this.edges() });
    this.before = this.edge("before", -1);
    this.after = this.edge("after", 1);
    this.element = h("div", { class: "hand-wrap" }, this.before, this.list, this.after);
    this.observer = new ResizeObserver(() => this.arrange());
    this.observer.observe(this.element);
  }

  /** A button at an edge of the hand that counts the playable cards beyond it. */
  edge(name, side) {
    return h("button", { type: "button", class: `hand-edge ${name}`, hidden: true, tabindex: "-1", onclick: () => this.scrollBy(side) });
  }

  /** Show the cards of a state; `hints` are the coach's. */
  show(state, hints, table) {
    const cards = inOrder(state.view.hand ?? []);
    const actions = cardActions(state);
    const focused = document.activeElement?.dataset?.card;
    const at = this.list.scrollLeft;
    this.list.setAttribute("aria-label", t("yourHand"));
    this.list.classList.toggle("asked", state.legal.length > 0);
    this.count = cards.length;
    fillWith(this.list, cards.length ? cards.map((card) => this.card(card, actions.get(card), state, hints, table)) : h("p", { class: "hint" }, t("noCards")));
    this.list.scrollLeft = at;
    this.arrange();
    if (focused) this.list.querySelector(`[data-card="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    if (state.move !== this.move) this.bringIntoView();
    this.move = state.move;
  }

  card(card, action, state, hints, table) {
    const words = cardWords(card);
    const chance = action ? chanceBadge(action, hints) : null;
    const outcome = action && state.view.phase === "stack" ? outcomeWords(state, card, table) : null;
    const label = [t(action ? "playable" : "notPlayable", { card: words }), outcome?.long, chance?.textContent].filter(Boolean).join(", ");
    return h("button", {
      type: "button", class: `card hand-card ${action ? "lively" : "still"}`, "data-card": card,
      "data-action": action ?? null, "aria-disabled": action ? null : "true", "aria-label": label,
      onclick: () => (action ? this.play(action) : toast(whyNot(card, state))),
    }, cardPicture(card), outcome && h("span", { class: "outcome" }, outcome.short), chance);
  }

  /** As many rows as keep every card wide enough for a finger, up to three where the screen is narrow. */
  arrange() {
    this.list.dataset.rows = "1"; // a hand of several rows may have smaller cards; what fits is found with those of one
    const style = getComputedStyle(this.list);
    const most = Number(style.getPropertyValue("--rows-allowed")) || 1;
    const card = Number.parseFloat(style.getPropertyValue("--w")) * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const columns = Math.max(1, Math.floor((this.element.clientWidth - card - 8) / LEAST_STRIP) + 1);
    const rows = Math.min(most, Math.max(1, Math.ceil((this.count ?? 1) / columns)));
    this.list.style.setProperty("--rows", String(rows));
    const wide = Math.max(1, Math.ceil((this.count ?? 1) / rows));
    this.list.style.gridTemplateColumns = `${wide > 1 ? `repeat(${wide - 1}, minmax(var(--strip), calc(var(--w) - .45rem))) ` : ""}var(--w)`;
    this.list.dataset.rows = String(rows);
    this.edges();
  }

  /** Bring the playable cards into view, the first of them if they do not all fit. */
  bringIntoView() {
    const lively = [...this.list.querySelectorAll(".lively")];
    if (!lively.length || this.list.scrollWidth <= this.list.clientWidth) return;
    const left = Math.min(...lively.map((card) => card.offsetLeft));
    const right = Math.max(...lively.map((card) => card.offsetLeft + card.offsetWidth));
    const room = this.list.clientWidth;
    this.list.scrollLeft = right - left <= room ? (left + right - room) / 2 : left - LEAST_STRIP;
    this.edges();
  }

  edges() {
    const { left, right } = this.list.getBoundingClientRect();
    const out = { before: 0, after: 0 };
    let hidden = { before: false, after: false };
    if (this.list.scrollWidth > this.list.clientWidth + 1) {
      hidden = { before: this.list.scrollLeft > 2, after: this.list.scrollLeft + this.list.clientWidth < this.list.scrollWidth - 2 };
      for (const card of this.list.querySelectorAll(".lively")) {
        const box = card.getBoundingClientRect();
        if (box.left + LEAST_STRIP / 2 < left) out.before += 1;
        else if (box.left + LEAST_STRIP / 2 > right) out.after += 1;
      }
    }
    for (const side of ["before", "after"]) {
      const edge = this[side];
      edge.hidden = !hidden[side];
      edge.classList.toggle("some", out[side] > 0);
      edge.textContent = `${side === "before" ? "‹" : ""}${out[side] || ""}${side === "after" ? "›" : ""}`;
      edge.setAttribute("aria-label", t("moreCards", { n: out[side] }));
    }
  }

  scrollBy(side) {
    this.list.scrollBy({ left: side * this.list.clientWidth * 0.7 });
  }

  /** Left and right move between playable cards. */
  walk(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const lively = [...this.list.querySelectorAll(".lively")];
    const cards = lively.length ? lively : [...this.list.querySelectorAll(".hand-card")];
    if (!cards.length) return;
    event.preventDefault();
    const at = cards.indexOf(document.activeElement);
    const next = cards.at((at + step + cards.length) % cards.length);
    next.focus();
    next.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  focusFirst() {
    (this.list.querySelector(".lively") ?? this.list).focus();
  }

  /** Where a card lies, for what flies from or to it. */
  spotOf(card) {
    return this.list.querySelector(`[data-card="${CSS.escape(card ?? "")}"]`) ?? this.list;
  }

  end() {
    this.observer.disconnect();
  }
}

/** The action of each card that has one: lay it, give it, or react with it. */
function cardActions(state) {
  const actions = new Map();
  for (const { action } of state.legal) {
    const [verb, card] = action.split(" ");
    if ((verb === "play" || verb === "give") && card) actions.set(card, action);
    else if (verb === "sum") for (const held of state.view.hand) actions.set(held, action);
    else if (verb === "jump-in" && !actions.has(state.view.top_card)) actions.set(state.view.top_card, action);
  }
  return actions;
}

/** What a card does to the penalty: short on the card, long for who hears it. */
function outcomeWords(state, card, table) {
  const outcome = stackOutcome(state.view, state.seat, card);
  if (outcome.cancels) return { short: cancelWords(), long: cancelWords() };
  return { short: `+${outcome.total}`, long: t("stackFor", { n: outcome.total, who: outcome.to === table.me ? t("you") : table.names[outcome.to] }) };
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
