// The lobby: choose rules, table size, who sits where; then deal.
import { h, fillWith, slider, toast } from "./dom.js";
import { getOnce, post } from "./api.js";
import { RulesForm } from "./rules_form.js";
import { settings, change, keepSeat, PACES } from "./settings.js";
import { cardFace } from "./cards.js";
import { t } from "./ui.js";

const SAMPLES = {
  classic: ["red-7", "wild-draw4"], hyper_speed: ["yellow-skip", "wild-hyper-speed"],
  no_mercy: ["blue-discard-all", "wild-draw10"], ig2000: ["green-0", "wild-swap"],
  loche: ["yellow-5", "wild"], teams: ["red-4+give", "wild-team-play"],
};
const BOT_NAMES = ["Otto", "Mina", "Hugo", "Vera", "Noor", "Theo", "Ilse", "Max", "Lia", "Sami"];
const CLOCKS = [null, 15, 30, 60, 120];

export function showLobby(screen) {
  let gone = false;
  fillWith(screen, h("p", { class: "loading" }, "…"));
  Promise.all([getOnce("/v1/variants"), getOnce("/v1/bots")])
    .then(([catalogue, bots]) => gone || new Lobby(screen, catalogue, bots))
    .catch((error) => gone || fillWith(screen, h("p", { class: "problem" }, t("error", { why: error.message })),
      h("button", { onclick: () => showLobby(screen) }, t("again"))));
  return () => { gone = true; };
}

class Lobby {
  constructor(screen, catalogue, bots) {
    this.catalogue = catalogue;
    this.bots = bots;
    this.form = new RulesForm(catalogue, () => this.drawLength());
    this.tiles = h("div", { class: "variants", role: "radiogroup", "aria-label": t("variant") });
    this.size = h("input", { id: "players", type: "number", inputmode: "numeric", onchange: () => this.resize() });
    this.rows = h("ol", { class: "seats" });
    this.episode = h("select", { id: "episode", onchange: () => this.sumUp() });
    this.summary = h("p", { class: "summary", "aria-live": "polite" });
    this.clock = h("select", { id: "clock" }, CLOCKS.map((n) => h("option", {}, n ? t("seconds", { n }) : t("noClock"))));
    this.start = h("button", { class: "primary", id: "deal", type: "submit" }, t("start"));
    this.problem = h("p", { class: "problem", role: "alert" });
    fillWith(screen, this.page());
    this.choose(catalogue.variants.find((each) => each.name === "classic") ?? catalogue.variants[0]);
  }

  page() {
    return h("form", { class: "lobby", onsubmit: (event) => { event.preventDefault(); this.deal(); } },
      h("section", { class: "hero" }, h("h1", {}, t("title")), h("p", {}, t("tagline"))),
      h("section", {}, h("h2", {}, t("variant")), this.tiles),
      h("div", { class: "columns" },
        h("section", { class: "panel" }, h("h2", {}, t("seats")),
          h("p", { class: "row" }, h("label", { for: "players" }, t("players")), this.size), this.rows,
          h("button", { type: "button", class: "quiet", id: "watch", onclick: () => this.onlyBots() }, t("watch"))),
        h("section", { class: "panel" }, h("h2", {}, t("settings")),
          h("p", { class: "row" }, h("label", { for: "episode" }, t("episode")), this.episode),
          h("p", { class: "row" }, h("label", { for: "pace" }, t("speed")),
            slider({ id: "pace", max: PACES.length - 1, value: settings.pace, onchange: (event) => change({ pace: Number(event.target.value) }) }, [t("fast"), t("slow")])),
          h("p", { class: "row" }, h("label", { for: "clock" }, t("moveClock")), this.clock),
          h("details", { class: "house" }, h("summary", {}, t("houseRules")), this.form.element))),
      h("section", { class: "deal" }, this.problem, this.summary, this.start),
      h("footer", {}, h("p", { class: "keys" }, t("keys")), h("p", {}, t("disclaimer"))));
  }

  choose(variant) {
    this.variant = variant;
    fillWith(this.tiles, this.catalogue.variants.map((each) => this.tile(each)));
    const { least, most, usual } = variant.players;
    Object.assign(this.size, { min: least, max: most, value: usual, step: variant.name === "teams" ? 2 : 1 });
    this.form.start(variant);
    this.drawLength();
    this.seat(usual);
  }

  tile(variant) {
    const chosen = variant === this.variant;
    return h("label", { class: `tile${chosen ? " chosen" : ""}`, "data-variant": variant.name },
      h("input", { type: "radio", name: "variant", class: "unseen", checked: chosen, onchange: () => { this.choose(variant); this.tiles.querySelector(":checked")?.focus(); } }),
      h("span", { class: "fan", "aria-hidden": "true" }, (SAMPLES[variant.name] ?? ["red-1"]).map(cardFace)),
      h("strong", {}, variant.title),
      h("span", {}, t(`v_${variant.name}`)),
      h("small", {}, t("people", variant.players)));
  }

  drawLength() {
    const chosen = this.episode.selectedIndex === 1;
    fillWith(this.episode, h("option", { value: "round" }, t("round")),
      h("option", { value: "match", selected: chosen }, t("match", { target: this.form.value("match_target") })));
    this.sumUp();
  }

  /** What is about to be dealt, in one line. */
  sumUp() {
    if (!this.seatChoices) return;
    const changed = Object.keys(this.form.changes).length;
    const people = this.seatChoices.some((choice) => choice.value === "me") ? t("playersN", { n: this.seatChoices.length }) : t("watch");
    this.summary.textContent = [this.variant.title, people, this.episode.selectedOptions[0].text, changed && t("changedN", { n: changed })]
      .filter(Boolean).join(" · ");
  }

  onlyBots() {
    for (const choice of this.seatChoices) {
      if (!choice.value.startsWith("bot:")) choice.value = `bot:${this.bots.default}`;
    }
    this.sumUp();
    this.start.focus();
  }

  resize() {
    const { least, most } = this.variant.players;
    let size = Math.min(most, Math.max(least, Number(this.size.value) || least));
    if (this.variant.name === "teams") size -= size % 2;
    this.size.value = size;
    this.seat(size);
  }

  /** One row for each seat; what was chosen for a seat stays. */
  seat(size) {
    const before = this.seatChoices?.map((choice) => choice.value) ?? [];
    this.seatChoices = [];
    const partner = this.variant.name === "teams" ? size / 2 : -1;
    fillWith(this.rows, Array.from({ length: size }, (_, seat) => this.seatRow(seat, before[seat], seat === partner)));
    this.sumUp();
  }

  seatRow(seat, before, isPartner) {
    const wanted = before ?? (seat === 0 ? "me" : `bot:${this.bots.default}`);
    const option = (value, text) => h("option", { value, selected: value === wanted }, text);
    const choice = h("select", { id: `seat-${seat}`, onchange: () => { this.onlyOneMe(seat); this.sumUp(); } },
      option("me", t("you")), option("open", t("person")),
      this.bots.bots.map((bot) => option(`bot:${bot.name}`, `${t("bot")}: ${bot.name}`)));
    this.seatChoices.push(choice);
    const label = h("label", { for: `seat-${seat}` }, t("seat", { n: seat + 1 }), isPartner && h("small", {}, ` (${t("partner")})`));
    if (seat !== 0) return h("li", {}, label, choice);
    const name = h("input", {
      "aria-label": t("yourName"), placeholder: t("yourName"), maxlength: 24, value: settings.name,
      autocomplete: "nickname", onchange: (event) => change({ name: event.target.value.trim() }),
    });
    return h("li", {}, label, choice, name);
  }

  onlyOneMe(seat) {
    if (this.seatChoices[seat].value !== "me") return;
    this.seatChoices.forEach((choice, other) => {
      if (other !== seat && choice.value === "me") choice.value = `bot:${this.bots.default}`;
    });
  }

  seats() {
    const names = [...BOT_NAMES];
    return this.seatChoices.map((choice) => {
      if (choice.value === "me") return { kind: "human", name: settings.name || t("you") };
      if (choice.value === "open") return { kind: "human", open: true };
      return { kind: "bot", bot: choice.value.slice(4), name: names.shift() };
    });
  }

  async deal() {
    this.problem.textContent = "";
    this.start.disabled = true;
    this.start.textContent = t("starting");
    try {
      const made = await post("/v1/tables", {
        rules: this.form.rules(), episode: this.episode.value, seats: this.seats(),
        bot_delay: PACES[settings.pace], move_seconds: CLOCKS[this.clock.selectedIndex],
      });
      const mine = made.seats.find((seat) => seat.token);
      keepSeat(made.table, { seat: mine?.seat ?? null, token: mine?.token ?? null, host: made.host_token });
      location.hash = `#/table/${made.table}`;
    } catch (error) {
      const why = error.details?.problems?.map((each) => each.message).join("; ") || error.message;
      this.problem.textContent = t("error", { why });
      toast(t("error", { why }), "problem");
      this.start.disabled = false;
      this.start.textContent = t("start");
    }
  }
}
