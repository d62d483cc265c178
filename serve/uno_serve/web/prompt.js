// The decision at hand: what is asked, what follows, and the choices that are neither cards nor players.
import { h, fillWith } from "./dom.js";
import { COLORS, colorSign, cardFace } from "./cards.js";
import { actionWords, colorWords } from "./words.js";
import { promptWords } from "./prompt_words.js";
import { targetsOf } from "./consequences.js";
import { chanceBadge } from "./coach.js";
import { t } from "./ui.js";

const KEYS = {
  draw: "d", take: "t", keep: "k", pass: "p", accept: "a", challenge: "c", "call-uno": "u",
  catch: "c", ignore: "i", "stay-silent": "s", "jump-in": "j", sum: "s", "no-swap": "n",
};
const LOUD = new Set(["call-uno", "catch", "jump-in", "sum"]);
const PAIR_VERB = "swap ";

export class Prompt {
  /**
   * @param act called with the chosen action
   * @param seats the players around the table, who can be clicked to point at
   */
  constructor(act, seats) {
    this.act = act;
    this.seats = seats;
    this.task = h("span", { class: "task" });
    this.detail = h("span", { class: "detail" });
    this.choices = h("div", { class: "choices" });
    this.element = h("section", { class: "prompt" },
      h("p", { class: "asking", role: "status", "aria-live": "polite" }, this.task, " ", this.detail), this.choices);
  }

  show(state, table, hints) {
    const { view } = state;
    const asked = state.legal.length > 0;
    this.element.classList.toggle("asked", asked);
    this.element.dataset.phase = asked ? view.phase : "";
    const [task, detail] = promptWords(state, table);
    fillWith(this.task, task);
    fillWith(this.detail, asked && view.phase === "challenge" && view.color_before && colorSign(view.color_before), detail);
    this.picked = [];
    this.byKey = new Map();
    this.seats.offer([], null);
    if (!asked) return fillWith(this.choices);
    const verbs = new Set(state.legal.map(({ action }) => action.split(" ")[0]));
    if (verbs.has("color")) return fillWith(this.choices, this.wheel(state, hints));
    if (verbs.has("swap")) return this.offerPairs(state, table, hints);
    const targets = this.offerTargets(state, table, hints);
    const held = new Set(view.hand);
    // Cards are chosen in the hand, players at their plates; all else, whatever it is, is a button.
    const others = state.legal.filter(({ action }) => !targets.has(action) && !isHeld(action, held));
    return fillWith(this.choices, this.flash(view), others.map(({ action }) => this.button(action, state, table, hints)));
  }

  button(action, state, table, hints) {
    const verb = action.split(" ")[0];
    const key = KEYS[verb];
    if (key) this.byKey.set(key, action);
    return h("button", {
      type: "button", class: `choice ${LOUD.has(verb) ? "loud" : ""}`, "data-action": action,
      "aria-keyshortcuts": key ?? null, onclick: () => this.act(action),
    }, actionWords(action, state.seat, state.view, table), chanceBadge(action, hints));
  }

  /** In a window for reactions the card to be met is shown again. */
  flash(view) {
    return view.phase === "react" && h("span", { class: "flash" }, cardFace(view.top_card));
  }

  /** Four quarters, each with its sign, its name and how many cards of it are in the hand. */
  wheel(state, hints) {
    const legal = new Set(state.legal.map(({ action }) => action));
    const quarter = (color, index) => {
      const action = `color ${color}`;
      const held = state.view.hand.filter((card) => card.startsWith(`${color}-`)).length;
      this.byKey.set(String(index + 1), action);
      return h("button", {
        type: "button", class: `quarter ${color}`, "data-action": action, disabled: !legal.has(action),
        "aria-keyshortcuts": String(index + 1), onclick: () => this.act(action),
      }, h("span", { class: "named" }, colorSign(color), colorWords(color)), h("small", {}, t("heldN", { n: held })), chanceBadge(action, hints));
    };
    return h("div", { class: "wheel", role: "group", "aria-label": t("wheel") }, COLORS.map(quarter));
  }

  /** Players to point at; the actions that this makes. */
  offerTargets(state, table, hints) {
    const targets = new Map(targetsOf(state));
    if (targets.size) {
      const words = (seat) => actionWords(targets.get(seat), state.seat, state.view, table);
      this.seats.offer([...targets.keys()], (seat) => this.act(targets.get(seat)), {
        words, action: (seat) => targets.get(seat), badge: (seat) => chanceBadge(targets.get(seat), hints),
      });
    }
    return new Set(targets.values());
  }

  /** Two players are clicked one after the other; one's own hand is a button. */
  offerPairs(state, table, hints) {
    const size = state.view.num_players;
    const pairs = new Map();
    for (const { action } of state.legal) {
      if (!action.startsWith(PAIR_VERB)) continue;
      const two = action.split(" ").slice(1).map((step) => (state.seat + Number(step)) % size);
      pairs.set(two.sort((a, b) => a - b).join(), action);
    }
    const seats = [...new Set([...pairs.keys()].flatMap((key) => key.split(",").map(Number)))].sort((a, b) => a - b);
    const pick = (seat) => {
      this.picked = this.picked.includes(seat) ? this.picked.filter((each) => each !== seat) : [...this.picked, seat];
      const action = pairs.get([...this.picked].sort((a, b) => a - b).join());
      if (action) this.act(action);
      else if (this.picked.length > 1) this.picked = [seat];
      draw();
    };
    const others = state.legal.filter(({ action }) => !action.startsWith(PAIR_VERB));
    const draw = () => {
      this.seats.offer(seats, pick, { picked: this.picked });
      fillWith(this.choices,
        seats.includes(table.me) && h("button", {
          type: "button", class: "choice", "data-pick": String(table.me), "aria-pressed": String(this.picked.includes(table.me)), onclick: () => pick(table.me),
        }, t("ownHand", { n: state.view.hand_sizes[table.me] })),
        others.map(({ action }) => this.button(action, state, table, hints)));
    };
    draw();
  }

  /** A key was pressed somewhere on the page. */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const action = this.byKey?.get(event.key.toLowerCase());
    if (!action) return;
    event.preventDefault();
    this.act(action);
  }
}

/** Whether an action is chosen by a card in the hand. */
function isHeld(action, held) {
  const [verb, card] = action.split(" ");
  return (verb === "play" || verb === "give") && held.has(card);
}
