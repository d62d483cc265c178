// Whose turn, and how long already or still: in front for the reader, at the plate of the seat to act.
import { h, fillWith } from "./dom.js";
import { t } from "./ui.js";

const TURN_PHASES = new Set(["play", "play-drawn", "stack", "challenge", "team-play", "play-more"]);
const SHOW_SECONDS_FROM = 5;
const SHORT = 10;

export class TurnClock {
  /** @param seats the players around the table */
  constructor(seats) {
    this.seats = seats;
    this.badge = h("span", { class: "turn-badge" });
    this.clock = h("span", { class: "clock", role: "timer" });
    this.timer = setInterval(() => this.tick(), 500);
  }

  /** @param isNews whether this is another decision than before */
  hear(state, isNews) {
    if (state.view?.actor !== this.state?.view?.actor || isNews) this.since = performance.now();
    this.state = state;
    this.end = state.clock ? performance.now() + 1000 * state.clock.seconds : null;
  }

  /** "Your turn" only when it is: a call, a catch or a reaction is a decision out of turn. */
  show(state) {
    if (!state.legal.length) return fillWith(this.badge);
    const own = state.view.turn === state.seat && TURN_PHASES.has(state.view.phase);
    return fillWith(this.badge, h("span", { class: own ? "your-turn" : "your-turn quick" }, t(own ? "yourTurn" : "yourChoice")));
  }

  tick() {
    const now = performance.now();
    const left = this.end === null || this.end === undefined ? null : Math.max(0, Math.round((this.end - now) / 1000));
    this.clock.textContent = left === null || this.state?.status !== "playing" ? "" : t("clockLeft", { n: left });
    this.clock.classList.toggle("short", left !== null && left <= SHORT);
    const thought = Math.floor((now - (this.since ?? now)) / 1000);
    const place = this.seats.element.querySelector(".since");
    if (place) place.textContent = left !== null ? t("seconds", { n: left }) : thought >= SHOW_SECONDS_FROM ? t("seconds", { n: thought }) : "";
  }

  stop() {
    clearInterval(this.timer);
  }
}
