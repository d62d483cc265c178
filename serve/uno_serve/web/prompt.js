// The decision at hand: what is asked, and the choices that are not cards.
import { h, fillWith } from "./dom.js";
import { COLORS, colorSign, cardFace } from "./cards.js";
import { actionWords, colorWords, taskWords } from "./words.js";
import { chanceBadge } from "./coach.js";
import { t } from "./ui.js";

const KEYS = {
  draw: "d", take: "t", keep: "k", pass: "p", accept: "a", challenge: "c", "call-uno": "u",
  catch: "c", ignore: "i", "stay-silent": "s", "jump-in": "j", sum: "s", "no-swap": "n",
};
const LOUD = new Set(["call-uno", "catch", "jump-in", "sum"]);
const COLOR_PHASES = new Set(["color", "roulette-color", "opening-color"]);

export class Prompt {
  /**
   * @param act called with the chosen action
   * @param seats the players around the table, who can be clicked to swap with
   */
  constructor(act, seats) {
    this.act = act;
    this.seats = seats;
    this.task = h("p", { class: "task", role: "status", "aria-live": "polite" });
    this.choices = h("div", { class: "choices" });
    this.element = h("section", { class: "prompt" }, this.task, this.choices);
  }

  show(state, table, hints) {
    const { view } = state;
    const asked = state.legal.length > 0;
    this.element.classList.toggle("asked", asked);
    this.element.dataset.phase = asked ? view.phase : "";
    this.task.textContent = taskWords(view, table);
    this.picked = [];
    this.byKey = new Map();
    this.seats.offer([], null);
    if (!asked) return fillWith(this.choices);
    if (COLOR_PHASES.has(view.phase)) return fillWith(this.choices, this.wheel(state, hints));
    if (view.phase === "swap-target") this.offerTargets(state);
    if (view.phase === "swap-pair" || view.phase === "opening-swap") return this.offerPairs(state, table, hints);
    const others = state.legal.filter(({ action }) => !/^(play|give) /.test(action));
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

  /** In a window for reactions the card to be met is shown again, large. */
  flash(view) {
    return view.phase === "react" && h("span", { class: "flash" }, cardFace(view.top_card));
  }

  /** Four quarters of a wheel, each with its sign and name. */
  wheel(state, hints) {
    const legal = new Set(state.legal.map(({ action }) => action));
    const quarter = (color, index) => {
      const action = `color ${color}`;
      this.byKey.set(String(index + 1), action);
      return h("button", {
        type: "button", class: `quarter ${color}`, "data-action": action, disabled: !legal.has(action),
        "aria-keyshortcuts": String(index + 1), onclick: () => this.act(action),
      }, colorSign(color), h("span", {}, colorWords(color)), chanceBadge(action, hints));
    };
    return h("div", { class: "wheel", role: "group", "aria-label": t("wheel") }, COLORS.map(quarter));
  }

  offerTargets(state) {
    const targets = state.legal.filter(({ action }) => action.startsWith("target "))
      .map(({ action }) => [(state.seat + Number(action.split(" ")[1])) % state.view.num_players, action]);
    this.seats.offer(targets.map(([seat]) => seat), (seat) => this.act(new Map(targets).get(seat)));
  }

  /** Two players are clicked, or chosen from buttons, one after the other. */
  offerPairs(state, table, hints) {
    const size = state.view.num_players;
    const pairs = new Map();
    for (const { action } of state.legal) {
      if (!action.startsWith("swap ")) continue;
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
    const draw = () => {
      this.seats.offer(seats, pick, this.picked);
      fillWith(this.choices, h("span", { class: "hint" }, t("pickTwo")),
        seats.map((seat) => h("button", {
          type: "button", class: "choice", "data-pick": String(seat), "aria-pressed": String(this.picked.includes(seat)), onclick: () => pick(seat),
        }, seat === table.me ? t("you") : table.names[seat])),
        state.legal.some(({ action }) => action === "no-swap") && this.button("no-swap", state, table, hints));
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
