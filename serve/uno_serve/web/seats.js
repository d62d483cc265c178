// The other players around the table, clockwise from the left of the one in front.
import { h, fillWith } from "./dom.js";
import { cardBack } from "./cards.js";
import { levelWords } from "./levels.js";
import { t, countCards } from "./ui.js";

const MOST_BACKS = 8;
/** How many sit left, above and right of the middle, by their number; clockwise from the left. */
const SIDES = [[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1], [1, 2, 1], [1, 3, 1], [2, 2, 2], [2, 3, 2], [2, 4, 2], [2, 5, 2], [3, 4, 3]];

export class Seats {
  constructor() {
    this.sides = ["left", "top", "right"].map((side) => h("div", { class: `side-${side}` }));
    this.element = h("div", { class: "players" }, this.sides);
    this.plates = new Map();
  }

  /** @param table {me, names}; without a seat of one's own everybody sits around */
  show(state, table) {
    const { view } = state;
    const start = table.me === null ? 0 : table.me + 1;
    const count = view.num_players - (table.me === null ? 0 : 1);
    const order = Array.from({ length: count }, (_, step) => (start + step) % view.num_players);
    const says = new Map([...this.plates].map(([seat, plate]) => [seat, plate.querySelector(".say")]));
    this.plates.clear();
    this.element.classList.toggle("crowd", count > 5);
    this.element.style.setProperty("--plates", String(count));
    let from = 0;
    SIDES[count].forEach((many, side) => {
      fillWith(this.sides[side], order.slice(from, from + many).map((seat) => this.plate(seat, state, table)));
      from += many;
    });
    // What somebody has just said outlives the drawing.
    for (const [seat, say] of says) if (say) this.plates.get(seat)?.append(say);
  }

  plate(seat, state, table) {
    const { view } = state;
    const size = view.hand_sizes[seat];
    const acts = view.actor === seat && state.status !== "over";
    const notes = notesOf(seat, state);
    const bot = state.seats?.[seat]?.bot;
    const level = bot ? levelWords(bot) : null;
    const isPartner = table.partner === seat;
    if (isPartner) notes.unshift(t("partner"));
    const words = [`${table.names[seat]}: ${countCards(size)}`, ...notes, acts && t("thinking")].filter(Boolean);
    const element = h("div", {
      class: `plate${acts ? " acts" : ""}${isPartner ? " partner" : ""}${view.eliminated.includes(seat) || view.out.includes(seat) ? " gone" : ""}`,
      "data-seat": String(seat), role: "group", "aria-label": words.join(", "),
    },
      h("span", { class: "backs", "aria-hidden": "true" }, Array.from({ length: Math.min(size, MOST_BACKS) }, cardBack)),
      h("span", { class: "who" }, h("strong", {}, table.names[seat]), h("span", { class: "count" }, String(size))),
      h("span", { class: "notes" }, notes.map((note) => h("em", { class: note === level ? "level" : null }, note)), acts && h("span", { class: "since", "aria-hidden": "true" })));
    this.plates.set(seat, element);
    return element;
  }

  /**
   * Make some players clickable.
   * @param marks {picked, words, action, badge}: who is chosen already, and what each choice means
   */
  offer(seats, pick, { picked = [], words, action, badge } = {}) {
    for (const [seat, plate] of this.plates) {
      const offered = Boolean(pick) && seats.includes(seat);
      plate.querySelector(".pick")?.remove();
      plate.classList.toggle("offered", offered);
      plate.classList.toggle("picked", picked.includes(seat));
      if (!offered) continue;
      const name = plate.querySelector("strong").textContent;
      plate.append(h("button", {
        type: "button", class: "pick", "aria-label": `${words?.(seat) ?? name}, ${plate.querySelector(".count").textContent}`,
        "data-action": action?.(seat) ?? null, "data-pick": action ? null : String(seat),
        "aria-pressed": action ? null : String(picked.includes(seat)), onclick: () => pick(seat),
      }, badge?.(seat)));
    }
  }

  plateOf(seat) {
    return this.plates.get(seat);
  }
}

/** Short words on a seat. */
export function notesOf(seat, state) {
  const { view } = state;
  const info = state.seats?.[seat] ?? {};
  const notes = info.left ? [t("leftBot")] : info.bot && !info.stand_in ? [levelWords(info.bot)] : [];
  if (view.winners.includes(seat)) notes.push(t("winner"));
  else if (view.eliminated.includes(seat)) notes.push(t("eliminated"));
  else if (view.out.includes(seat)) notes.push(t("out"));
  if (view.uno_called.includes(seat)) notes.push(t("unoCalled"));
  if (view.episode === "match") notes.push(t("points", { n: view.scores[seat] }));
  if (info.stand_in) notes.push(t("standIn"));
  else if (info.kind === "human" && info.present === false) notes.push(t("away"));
  if (view.dealer === seat) notes.push(t("dealer"));
  return notes;
}
