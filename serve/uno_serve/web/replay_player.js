// A replay on the table: the board, open hands or one seat's, the list of moves, and how to walk through them.
import { h, fillWith, toast } from "./dom.js";
import { framesOf } from "./replay_file.js";
import { Seats } from "./seats.js";
import { Center } from "./center.js";
import { Causes } from "./causes.js";
import { MoveList } from "./move_list.js";
import { ReviewPanel } from "./review.js";
import { cardBack, cardFace, inOrder } from "./cards.js";
import { eventWords } from "./words.js";
import { t } from "./ui.js";

const PAGE = 200;
/** Milliseconds a move, by the steps of the speed. */
const SPEEDS = [["½", 1600], ["1", 800], ["2", 400], ["4", 200]];

export class ReplayPlayer {
  /** @param replay {record, names, steps, table, mine}: `table` has a link to copy, `mine` is the reader's seat */
  constructor({ record, names, steps, table, mine }) {
    Object.assign(this, { record, steps, table });
    this.names = { me: null, names };
    this.frames = new Map();
    this.at = 0;
    this.pace = 1;
    this.seats = new Seats();
    this.center = new Center(() => {});
    this.moves = new MoveList((step) => this.go(step));
    this.review = new ReviewPanel({ record, names, mine: mine ?? 0, go: (step) => this.jump(step), mark: (marks) => this.moves.mark(marks) });
    this.words = h("p", { class: "task", role: "status" });
    this.hands = h("div", { class: "open-hands" });
    this.element = this.layout();
    this.onkey = (event) => this.key(event);
    document.addEventListener("keydown", this.onkey);
    this.load();
  }

  layout() {
    this.slider = h("input", { type: "range", min: 0, max: this.steps, value: 0, id: "replay-slider", oninput: () => this.go(Number(this.slider.value)) });
    this.count = h("label", { for: "replay-slider" });
    const button = (key, sign, step) => h("button", { type: "button", class: "replay-step", "data-step": key, "aria-label": t(key), title: t(key), onclick: () => this.go(step()) }, sign);
    this.player = h("button", { type: "button", class: "primary replay-step", id: "playback", onclick: () => this.toggle() });
    this.showPlaying();
    const speed = h("select", { id: "replay-speed", "aria-label": t("replaySpeed"), onchange: (event) => { this.pace = Number(event.target.value); this.restart(); } },
      SPEEDS.map(([name], n) => h("option", { value: n, selected: n === this.pace }, `${name}×`)));
    const whose = h("select", { id: "replay-seat", "aria-label": t("replayHands"), onchange: (event) => { this.seen = event.target.value === "" ? null : Number(event.target.value); this.go(this.at); } },
      h("option", { value: "" }, t("allHands")), this.names.names.map((name, seat) => h("option", { value: String(seat) }, t("onlyHand", { who: name }))));
    this.seen = null;
    return h("div", { class: "replay-body" },
      h("div", { class: "replay-board" },
        h("div", { class: "felt" }, this.seats.element, this.center.element),
        h("div", { class: "panel controls" }, this.words, h("div", { class: "row" }, this.count, this.slider),
          h("div", { class: "row steps" }, button("first", "|◀", () => 0), button("previous", "◀", () => this.at - 1), this.player,
            button("next", "▶", () => this.at + 1), button("last", "▶|", () => this.steps), speed, whose,
            this.table && h("button", { type: "button", id: "copy-link", onclick: () => this.copyLink() }, t("copy")))),
        this.hands),
      h("div", { class: "replay-side" }, this.review.element, this.moves.element));
  }

  /** All frames, a page at a time, into the list of moves. */
  async load() {
    const causes = new Causes();
    for (let from = 0; from <= this.steps && !this.ended; from += PAGE) {
      const frames = await this.page(from).catch((error) => { toast(t("error", { why: error.message }), "problem"); return []; });
      for (const frame of frames) frame.events = frame.events.map((event) => ({ ...event, reason: causes.add(event) }));
      this.moves.add(frames.map((frame) => ({ step: frame.step, seat: frame.actor, words: this.sentence(frame) })), this.names);
      if (frames.some((frame) => frame.step === this.at)) this.draw(this.frames.get(this.at));
    }
  }

  /** The frames of a page, asked for once. */
  page(from) {
    this.pages ??= new Map();
    if (!this.pages.has(from)) {
      this.pages.set(from, framesOf(this.record, from, PAGE).then(({ frames }) => {
        for (const frame of frames) this.frames.set(frame.step, frame);
        return frames;
      }));
    }
    return this.pages.get(from);
  }

  sentence(frame) {
    if (frame.step === 0) return t("deal");
    return frame.events.map((event) => eventWords(event, this.names)).join(" ") || frame.sentence;
  }

  /** Go to a step and see it, wherever the page is scrolled. */
  jump(step) {
    this.stop();
    if (this.element.getBoundingClientRect().top < 0) this.element.scrollIntoView({ block: "start" });
    return this.go(step);
  }

  async go(step) {
    this.at = Math.min(this.steps, Math.max(0, step));
    const { at } = this;
    this.slider.value = at;
    this.count.textContent = t("step", { n: at, all: this.steps });
    if (!this.frames.has(at)) await this.page(Math.floor(at / PAGE) * PAGE);
    if (at === this.at && !this.ended) this.draw(this.frames.get(at));
  }

  draw(frame) {
    if (!frame) return;
    this.words.textContent = this.sentence(frame);
    const state = { view: { ...frame.view, legal: [] }, legal: [], seat: null, seats: [] };
    this.seats.show(state, this.names);
    this.center.show(state);
    this.moves.show(this.at);
    this.review.show(this.at);
    const hidden = (seat) => this.seen !== null && seat !== this.seen;
    const order = frame.hands.map((_, seat) => seat).filter((seat) => !hidden(seat)).concat(frame.hands.map((_, seat) => seat).filter(hidden));
    fillWith(this.hands, order.map((seat) => h("section", { class: `panel open-hand${frame.view.actor === seat ? " acts" : ""}`, "data-seat": String(seat) },
      h("h2", {}, this.names.names[seat], " ", h("span", { class: "count" }, String(frame.hands[seat].length))),
      h("div", { class: "small-cards" }, hidden(seat) ? frame.hands[seat].map(() => cardBack()) : inOrder(frame.hands[seat]).map(cardFace)))));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const steps = { ArrowRight: this.at + 1, ArrowLeft: this.at - 1, Home: 0, End: this.steps };
    if (event.key === " " && event.target.tagName !== "BUTTON") this.toggle();
    else if (event.key in steps) this.go(steps[event.key]);
    else return;
    event.preventDefault();
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.at >= this.steps) this.go(0);
    this.timer = setInterval(() => (this.at >= this.steps ? this.stop() : this.go(this.at + 1)), SPEEDS[this.pace][1]);
    return this.showPlaying();
  }

  /** At another speed, if it plays. */
  restart() {
    if (!this.timer) return;
    this.stop();
    this.toggle();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.showPlaying();
  }

  showPlaying() {
    fillWith(this.player, this.timer ? t("pause") : t("playback"));
  }

  async copyLink() {
    const address = `${location.origin}${location.pathname}#/replay/${encodeURIComponent(this.table)}`;
    try {
      await navigator.clipboard.writeText(address);
      toast(t("copied"));
    } catch {
      toast(address);
    }
  }

  end() {
    this.ended = true;
    clearInterval(this.timer);
    this.review.end();
    document.removeEventListener("keydown", this.onkey);
  }
}
