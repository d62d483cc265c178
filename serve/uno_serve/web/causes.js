// Why something happened: each drawn card and each lost turn traced back to the card, call or
// challenge before it. Only public events are read, so nothing is told that a seat may not know.
import { drawValue } from "./consequences.js";

const PENALTY_DRAWS = 1;
const TEAM_DRAWS = 2; // a Super Team +2 makes a seat and its partner draw

export class Causes {
  constructor() {
    this.card = null; // the last card laid: {seat, card, draws}
    this.due = null; // who draws next, and why
  }

  /**
   * Follow one event.
   * @returns {why, by, card, color}: the kind of reason and what it is about, or null
   */
  add(event) {
    switch (event.type) {
      case "deal":
        this.card = this.due = null;
        return null;
      case "open": case "play": case "jump-in":
        this.lay(event);
        return null;
      case "take": case "accept":
        this.due = { seat: event.seat, ...this.byCard() };
        return null;
      case "challenge":
        this.due = event.bluff ? { seat: this.card?.seat, why: "bluff" } : { seat: event.seat, why: "wrong" };
        this.spend();
        return null;
      case "catch":
        this.due = { seat: event.holder, why: "caught", by: event.seat };
        return null;
      case "roulette":
        this.due = { seat: event.seat, why: "roulette", color: event.color };
        return null;
      case "team-play-failed":
        this.due = { seat: event.seat, why: "team", by: event.partner };
        return null;
      case "fault":
        this.due = { seat: event.seat, why: "fault" };
        return null;
      case "draw":
        return this.drawn(event);
      case "skip":
        return this.byCard();
      default:
        return null;
    }
  }

  lay(event) {
    const card = event.cards?.at(-1);
    if (!card) return;
    const draws = drawValue(card) ? (card.includes("team") ? TEAM_DRAWS : PENALTY_DRAWS) : 0;
    this.card = { seat: event.type === "open" ? null : event.seat, card, draws };
    this.due = null;
  }

  byCard() {
    if (!this.card) return null;
    return { why: this.card.seat === null ? "opening" : "card", by: this.card.seat, card: this.card.card };
  }

  spend() {
    if (this.card?.draws) this.card.draws -= 1;
  }

  drawn(event) {
    const { due } = this;
    if (due && due.seat === event.seat) {
      this.due = null;
      this.spend();
      const { seat, ...reason } = due;
      return reason.why ? reason : null;
    }
    if (this.card?.draws && this.card.seat !== event.seat) {
      this.spend();
      return this.byCard();
    }
    return { why: "turn" };
  }
}
