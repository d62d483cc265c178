// The other players around the table, clockwise from the left of the one in front.
import { h, fillWith } from "./dom.js";
import { cardBack } from "./cards.js";
import { levelWords } from "./levels.js";
import { t, countCards } from "./ui.js";

const MOST_BACKS = 8;

export class Seats {
  constructor() {
    this.element = h("div", { class: "players" });
    this.plates = new Map();
  }

  /** @param table {me, names}; without a seat of one's own everybody sits around */
  show(state, table) {
    const { view } = state;
    const front = table.me ?? -1;
    const start = table.me === null ? 0 : 1;
    const order = [];
    for (let step = start; step < view.num_players; step += 1) order.push((Math.max(front, 0) + step) % view.num_players);
    this.plates.clear();
    this.element.classList.toggle("crowd", order.length > 6);
    fillWith(this.element, order.map((seat, place) => this.plate(seat, place, order.length, state, table)));
  }

  plate(seat, place, count, state, table) {
    const { view } = state;
    const size = view.hand_sizes[seat];
    const acts = view.actor === seat;
    const notes = notesOf(seat, state);
    const isPartner = table.partner === seat;
    if (isPartner) notes.unshift(t("partner"));
    const backs = Math.min(size, MOST_BACKS);
    const element = h("div", {
      class: `plate${acts ? " acts" : ""}${isPartner ? " partner" : ""}${view.eliminated.includes(seat) || view.out.includes(seat) ? " gone" : ""}`,
      "data-seat": String(seat), role: "group",
      "aria-label": `${table.names[seat]}: ${countCards(size)}${notes.length ? `, ${notes.join(", ")}` : ""}${acts ? `, ${t("thinking")}` : ""}`,
    },
      h("span", { class: "backs", "aria-hidden": "true" }, Array.from({ length: backs }, cardBack)),
      h("span", { class: "who" }, h("strong", {}, table.names[seat]), h("span", { class: "count" }, String(size))),
      h("span", { class: "notes" }, notes.map((note) => h("em", {}, note))));
    // Around an ellipse: from the left over the top to the right.
    const angle = Math.PI * (count === 1 ? 0.5 : 0.02 + (0.96 * place) / (count - 1));
    element.style.setProperty("--x", String(0.5 - 0.5 * Math.cos(angle)));
    element.style.setProperty("--y", String(1 - Math.sin(angle)));
    this.plates.set(seat, element);
    return element;
  }

  /** Make some players clickable. */
  offer(seats, pick, picked = []) {
    for (const [seat, plate] of this.plates) {
      const offered = pick && seats.includes(seat);
      plate.querySelector(".pick")?.remove();
      plate.classList.toggle("offered", Boolean(offered));
      plate.classList.toggle("picked", picked.includes(seat));
      if (offered) {
        const name = plate.querySelector("strong").textContent;
        plate.append(h("button", { type: "button", class: "pick", "aria-label": name, "aria-pressed": String(picked.includes(seat)), onclick: () => pick(seat) }));
      }
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
