// Replays: open a file or a finished table, and step through it with open cards.
import { h, fillWith, toast } from "./dom.js";
import { framesOf, readReplay, replayOf } from "./replay_file.js";
import { Seats } from "./seats.js";
import { Center } from "./center.js";
import { cardFace, inOrder } from "./cards.js";
import { eventWords } from "./words.js";
import { t } from "./ui.js";

const PAGE = 100;

export function showReplay(screen, table) {
  const show = new Replay(screen);
  if (table) replayOf(table).then((file) => show.open(file)).catch((error) => toast(t("error", { why: error.message }), "problem"));
  return () => show.end();
}

class Replay {
  constructor(screen) {
    this.screen = screen;
    this.frames = new Map();
    const pick = h("input", { type: "file", accept: ".json,application/json", id: "replay-file", onchange: (event) => this.read(event.target.files[0]) });
    this.body = h("div", { class: "replay-body" });
    const drop = h("section", {
      class: "panel drop", ondragover: (event) => event.preventDefault(),
      ondrop: (event) => { event.preventDefault(); this.read(event.dataTransfer.files[0]); },
    }, h("h1", {}, t("replayTitle")), h("p", { class: "row" }, h("label", { for: "replay-file" }, t("openReplay")), pick), h("p", { class: "hint" }, t("replayHint")));
    fillWith(screen, h("div", { class: "replay" }, drop, this.body));
  }

  async read(file) {
    if (!file) return;
    try {
      await this.open(readReplay(await file.text()));
    } catch (error) {
      toast(t("badReplay", { why: error.message }), "problem");
    }
  }

  /** @param file {record, names}; names may be missing */
  async open(file) {
    this.stop();
    this.record = file.record;
    this.frames.clear();
    const first = await this.fetch(0);
    this.steps = first.steps;
    const name = (_, n) => file.names?.[n] || t("seat", { n: n + 1 });
    this.names = { me: null, names: Array.from({ length: first.num_players }, name) };
    this.build();
    await this.go(0);
  }

  async fetch(from) {
    const page = await framesOf(this.record, from, PAGE);
    for (const frame of page.frames) this.frames.set(frame.step, frame);
    return page;
  }

  build() {
    this.seats = new Seats();
    this.center = new Center(() => {});
    this.words = h("p", { class: "task", role: "status" });
    this.hands = h("div", { class: "open-hands" });
    this.slider = h("input", { type: "range", min: 0, max: this.steps, value: 0, id: "replay-slider", oninput: () => this.go(Number(this.slider.value)) });
    this.count = h("label", { for: "replay-slider" });
    const button = (key, step) => h("button", { type: "button", "data-step": key, onclick: () => this.go(step()) }, t(key));
    this.player = h("button", { type: "button", class: "primary", onclick: () => this.toggle() }, t("playback"));
    fillWith(this.body,
      h("div", { class: "felt" }, this.seats.element, this.center.element),
      h("div", { class: "panel" }, this.words, this.count, this.slider,
        h("p", { class: "row" }, button("first", () => 0), button("previous", () => this.at - 1), this.player,
          button("next", () => this.at + 1), button("last", () => this.steps))),
      this.hands);
  }

  async go(step) {
    this.at = Math.min(this.steps, Math.max(0, step));
    const at = this.at;
    if (!this.frames.has(at)) await this.fetch(Math.floor(at / PAGE) * PAGE);
    if (at !== this.at) return;
    this.draw(this.frames.get(at));
  }

  draw(frame) {
    this.slider.value = this.at;
    this.count.textContent = t("step", { n: this.at, all: this.steps });
    const told = frame.events.map((event) => eventWords(event, this.names)).join(" ");
    this.words.textContent = this.at === 0 ? t("deal") : told || frame.sentence;
    const state = { view: { ...frame.view, legal: [] }, legal: [], seat: null, seats: [] };
    this.seats.show(state, this.names);
    this.center.show(state);
    fillWith(this.hands, frame.hands.map((hand, seat) =>
      h("section", { class: `panel open-hand${frame.view.actor === seat ? " acts" : ""}` }, h("h2", {}, this.names.names[seat]),
        h("div", { class: "small-cards" }, inOrder(hand).map(cardFace)))));
  }

  toggle() {
    if (this.timer) return this.stop();
    this.player.textContent = t("pause");
    this.timer = setInterval(() => (this.at >= this.steps ? this.stop() : this.go(this.at + 1)), 700);
    return undefined;
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    if (this.player) this.player.textContent = t("playback");
  }

  end() {
    this.stop();
  }
}
