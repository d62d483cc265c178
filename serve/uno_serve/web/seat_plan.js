// Who sits where: against bots of a level, with friends, or only watching; seat by seat if wanted.
import { h, fillWith } from "./dom.js";
import { allLevels, levelOf, lineOf, titleOf } from "./levels.js";
import { ratingWords } from "./rating.js";
import { settings, change } from "./settings.js";
import { t } from "./ui.js";

const BOT_NAMES = ["Otto", "Mina", "Hugo", "Vera", "Noor", "Theo", "Ilse", "Max", "Lia", "Sami"];
const MODES = [["against-bots", "modeBots"], ["with-friends", "modeFriends"], ["watch", "watch"]];

export class SeatPlan {
  /** @param bots the answer of /v1/bots */
  constructor(bots, onchange) {
    this.bots = bots;
    this.onchange = onchange;
    this.size = 0;
    this.choices = [];
    this.bot = levelOf(settings.level)?.bot ?? bots.default;
    this.advanced = !levelOf(bots.default);
    this.number = h("input", { id: "players", type: "number", inputmode: "numeric", onchange: () => this.resize() });
    this.rows = h("ol", { class: "seats" });
    this.line = h("p", { class: "level-line", id: "level-line", role: "status" });
    this.modes = h("div", { class: "modes", role: "group", "aria-label": t("seats") });
    this.element = this.layout();
  }

  layout() {
    const step = (by) => h("button", { type: "button", class: "step", "aria-label": t(by < 0 ? "fewer" : "more"), onclick: () => { this.number.value = Number(this.number.value) + by * Number(this.number.step || 1); this.resize(); } }, by < 0 ? "−" : "+");
    return h("section", { class: "panel plan" }, h("h2", {}, t("seats")), this.modes,
      allLevels().length > 0 && this.levelChoice(),
      h("p", { class: "row" }, h("label", { for: "players" }, t("players")), h("span", { class: "stepper" }, step(-1), this.number, step(1))),
      this.rows,
      h("details", { class: "advanced" }, h("summary", {}, t("advanced")),
        h("label", { class: "check" }, h("input", { type: "checkbox", id: "all-bots", checked: this.advanced, onchange: (event) => { this.advanced = event.target.checked; this.draw(); } }),
          h("span", {}, t("allBots")))));
  }

  levelChoice() {
    const chips = allLevels().map((level) => h("label", { class: "chip", "data-level": level.name },
      h("input", { type: "radio", name: "level", class: "unseen", value: level.bot, checked: level.bot === this.bot, "aria-describedby": "level-line", onchange: () => this.setLevel(level) }),
      h("span", {}, titleOf(level))));
    return h("fieldset", { class: "levels" }, h("legend", {}, t("levelOf")), h("div", { class: "chips" }, chips), this.line,
      h("p", { class: "rating hint", id: "rating" }, ratingWords()));
  }

  /** Every bot of the table plays at this level. */
  setLevel(level) {
    this.bot = level.bot;
    change({ level: level.bot });
    this.choices = this.choices.map((choice) => (choice.startsWith("bot:") ? `bot:${level.bot}` : choice));
    this.draw();
  }

  /** Begin with the usual table of a variant; what was chosen for a seat stays. */
  start(variant) {
    this.variant = variant;
    const { least, most, usual } = variant.players;
    Object.assign(this.number, { min: least, max: most, value: usual, step: this.isTeams ? 2 : 1 });
    this.setSize(usual);
  }

  get isTeams() {
    return this.variant.rules.team_mode === "pairs";
  }

  resize() {
    const { least, most } = this.variant.players;
    let size = Math.min(most, Math.max(least, Number(this.number.value) || least));
    if (this.isTeams) size -= size % 2;
    this.number.value = size;
    this.setSize(size);
  }

  setSize(size) {
    const mode = this.mode();
    const usual = mode === "with-friends" ? "open" : `bot:${this.bot}`;
    this.choices = Array.from({ length: size }, (_, seat) => this.choices[seat] ?? (seat === 0 && mode !== "watch" ? "me" : usual));
    this.size = size;
    this.draw();
  }

  // The three ways to sit down.

  mode() {
    if (!this.choices.length) return "against-bots";
    if (!this.choices.includes("me")) return "watch";
    return this.hasOpen ? "with-friends" : "against-bots";
  }

  setMode(mode) {
    const rest = mode === "with-friends" ? "open" : `bot:${this.bot}`;
    const mine = Math.max(0, this.choices.indexOf("me"));
    this.choices = this.choices.map((_, seat) => (seat === mine && mode !== "watch" ? "me" : rest));
    this.draw();
    document.getElementById(mode)?.focus();
  }

  get hasOpen() {
    return this.choices.includes("open");
  }

  draw() {
    const now = this.mode();
    fillWith(this.modes, MODES.map(([id, key]) => h("button", { type: "button", id, "aria-pressed": String(id === now), onclick: () => this.setMode(id) }, t(key))));
    const level = levelOf(this.bot);
    this.line.textContent = level ? lineOf(level) : "";
    const partner = this.isTeams ? this.size / 2 : -1;
    fillWith(this.rows, this.choices.map((choice, seat) => this.row(seat, choice, seat === partner)));
    this.onchange();
  }

  row(seat, wanted, isPartner) {
    const option = (value, text) => h("option", { value, selected: value === wanted }, text);
    const levels = allLevels();
    const others = this.bots.bots.filter((bot) => this.advanced || (wanted === `bot:${bot.name}` && !levelOf(bot.name)));
    const choice = h("select", { id: `seat-${seat}`, onchange: (event) => this.choose(seat, event.target.value) },
      option("me", t("you")), option("open", t("person")),
      levels.map((level) => option(`bot:${level.bot}`, t("botLevel", { level: titleOf(level) }))),
      others.length > 0 && h("optgroup", { label: t("advanced") },
        others.filter((bot) => !levelOf(bot.name)).map((bot) => option(`bot:${bot.name}`, bot.name))));
    const label = h("label", { for: `seat-${seat}` }, t("seat", { n: seat + 1 }), isPartner && h("small", {}, ` (${t("partner")})`));
    if (wanted !== "me") return h("li", {}, label, choice);
    const name = h("input", {
      id: "my-name", "aria-label": t("yourName"), placeholder: t("yourName"), maxlength: 24, value: settings.name,
      autocomplete: "nickname", onchange: (event) => { change({ name: event.target.value.trim() || settings.name }); event.target.value = settings.name; },
    });
    return h("li", {}, label, choice, name);
  }

  choose(seat, value) {
    const before = value === "me" ? this.choices.indexOf("me") : -1;
    if (before >= 0) this.choices[before] = this.choices[seat];
    this.choices[seat] = value;
    this.draw();
    document.getElementById(`seat-${seat}`)?.focus();
  }

  words() {
    return this.mode() === "watch" ? t("watch") : t("playersN", { n: this.size });
  }

  /** What the server is told. */
  seats() {
    const names = BOT_NAMES.filter((name) => name.toLowerCase() !== settings.name.toLowerCase());
    return this.choices.map((choice) => {
      if (choice === "me") return { kind: "human", name: settings.name };
      if (choice === "open") return { kind: "human", open: true };
      return { kind: "bot", bot: choice.slice(4), name: names.shift() };
    });
  }
}
