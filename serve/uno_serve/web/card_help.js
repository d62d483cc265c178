// What a card does, where it lies: a tooltip for the mouse, a long press for fingers.
import { h } from "./dom.js";
import { explained } from "./rules_page.js";
import { cardWords } from "./words.js";

const HOVER_WAIT = 700;
const PRESS_WAIT = 480;
const NEAR = 8;

/** Cards under `root` explain themselves by the rules of the table; returns what stops that. */
export function explainCards(root, rules) {
  const help = new CardHelp(root, rules);
  return () => help.end();
}

class CardHelp {
  constructor(root, rules) {
    this.root = root;
    this.rules = rules;
    this.tip = h("div", { class: "card-tip", role: "tooltip", hidden: true });
    document.body.append(this.tip);
    this.ears = {
      pointerover: (event) => event.pointerType === "mouse" && this.after(HOVER_WAIT, event.target),
      pointerout: () => this.hide(),
      pointerdown: (event) => this.press(event),
      pointermove: (event) => this.moved(event),
      pointerup: () => this.released(),
      pointercancel: () => this.released(),
      contextmenu: (event) => { if (this.pressing) event.preventDefault(); },
      scroll: () => this.hide(),
    };
    for (const [name, ear] of Object.entries(this.ears)) root.addEventListener(name, ear, { passive: name !== "contextmenu", capture: name === "scroll" });
    // The click after a long press must not play the card.
    this.click = (event) => {
      if (!this.swallow) return;
      this.swallow = false;
      event.stopPropagation();
      event.preventDefault();
    };
    root.addEventListener("click", this.click, { capture: true });
  }

  after(wait, target) {
    clearTimeout(this.timer);
    const card = target.closest?.("[data-card]");
    if (card) this.timer = setTimeout(() => this.show(card), wait);
  }

  press(event) {
    this.hide();
    this.swallow = false;
    if (event.pointerType === "mouse" || !event.target.closest?.("[data-card]")) return;
    this.pressing = { x: event.clientX, y: event.clientY };
    clearTimeout(this.timer);
    const card = event.target.closest("[data-card]");
    this.timer = setTimeout(() => { this.swallow = true; this.show(card); }, PRESS_WAIT);
  }

  /** A finger that moves wants to scroll. */
  moved(event) {
    if (this.pressing && Math.hypot(event.clientX - this.pressing.x, event.clientY - this.pressing.y) > NEAR) this.released();
  }

  released() {
    clearTimeout(this.timer);
    this.pressing = null;
  }

  async show(card) {
    const about = this.rules();
    if (!about || !card.isConnected) return;
    const page = await explained(about.rules, about.players, about.match).catch(() => null);
    const text = page && textOf(card.dataset.card, page.cards);
    if (!text || !card.isConnected) return;
    this.tip.replaceChildren(h("strong", {}, cardWords(card.dataset.card)), h("span", {}, text));
    this.tip.hidden = false;
    const at = card.getBoundingClientRect();
    const box = this.tip.getBoundingClientRect();
    const left = Math.min(Math.max(8, at.left + at.width / 2 - box.width / 2), innerWidth - box.width - 8);
    const above = at.top - box.height - 10;
    this.tip.style.left = `${left}px`;
    this.tip.style.top = `${above > 4 ? above : Math.min(at.bottom + 10, innerHeight - box.height - 4)}px`;
  }

  hide() {
    clearTimeout(this.timer);
    this.tip.hidden = true;
  }

  end() {
    clearTimeout(this.timer);
    this.tip.remove();
    for (const [name, ear] of Object.entries(this.ears)) this.root.removeEventListener(name, ear, { capture: name === "scroll" });
    this.root.removeEventListener("click", this.click, { capture: true });
  }
}

/** The sentence of a card by its kind; the give symbol adds its own. */
export function textOf(card, cards) {
  const plain = card.replace("+give", "");
  const kind = plain.startsWith("wild") ? plain : plain.replace(/^(red|yellow|green|blue)-/, "");
  const find = (name) => cards.find((each) => each.kind === name)?.text ?? "";
  return [card === plain ? "" : find("+give"), find(kind)].filter(Boolean).join(" ");
}
