// The lobby: choose rules, opponents and seats; then deal. What was chosen last is chosen again.
import { h, fillWith, slider, toast } from "./dom.js";
import { getOnce, post } from "./api.js";
import { backToTables } from "./back_to_table.js";
import { learnLevels } from "./levels.js";
import { RulesForm } from "./rules_form.js";
import { rulesButton } from "./rules_page.js";
import { SeatPlan } from "./seat_plan.js";
import { settings, change, keepSeat, PACES } from "./settings.js";
import { cardFace } from "./cards.js";
import { t, variantWords } from "./ui.js";

const SAMPLES = {
  classic: ["red-7", "wild-draw4"], hyper_speed: ["yellow-skip", "wild-hyper-speed"],
  no_mercy: ["blue-discard-all", "wild-draw10"], ig2000: ["green-0", "wild-swap"],
  loche: ["yellow-5", "wild"], teams: ["red-4+give", "wild-team-play"],
  all_wild: ["wild-skip", "wild-forced-swap"],
};
const CLOCKS = [null, 15, 30, 60, 120];

export function showLobby(screen) {
  let gone = false;
  fillWith(screen, h("p", { class: "loading" }, "…"));
  Promise.all([getOnce("/v1/variants"), learnLevels()])
    .then(([catalogue, bots]) => gone || new Lobby(screen, catalogue, bots))
    .catch((error) => gone || fillWith(screen, h("p", { class: "problem" }, t("error", { why: error.message })),
      h("button", { onclick: () => showLobby(screen) }, t("again"))));
  return () => { gone = true; };
}

class Lobby {
  constructor(screen, catalogue, bots) {
    this.catalogue = catalogue;
    this.form = new RulesForm(catalogue, () => this.drawLength());
    this.plan = new SeatPlan(bots, () => this.sumUp());
    this.tiles = h("div", { class: "variants", role: "radiogroup", "aria-label": t("variant") });
    this.episode = h("select", { id: "episode", onchange: () => this.sumUp() });
    this.summary = h("p", { class: "summary", "aria-live": "polite" });
    this.clock = h("select", { id: "clock" }, CLOCKS.map((n) => h("option", {}, n ? t("seconds", { n }) : t("noClock"))));
    this.start = h("button", { class: "primary", id: "deal", type: "submit" }, t("start"));
    this.problem = h("p", { class: "problem", role: "alert" });
    const kept = (name) => catalogue.variants.find((each) => each.name === name);
    this.variant = kept(settings.variant) ?? kept("classic") ?? catalogue.variants[0];
    fillWith(screen, this.page());
    this.choose(this.variant);
  }

  page() {
    return h("form", { class: "lobby", onsubmit: (event) => { event.preventDefault(); this.deal(); } },
      backToTables(this.catalogue),
      h("section", { class: "hero" }, h("h1", {}, t("title")), h("p", {}, t("tagline"))),
      h("section", {}, h("h2", {}, t("variant")), this.tiles),
      h("div", { class: "columns" }, this.plan.element,
        h("section", { class: "panel" }, h("h2", {}, t("settings")),
          h("p", { class: "row" }, h("label", { for: "episode" }, t("episode")), this.episode),
          h("p", { class: "row" }, h("label", { for: "pace" }, t("speed")),
            slider({ id: "pace", max: PACES.length - 1, value: settings.pace, onchange: (event) => change({ pace: Number(event.target.value) }) }, [t("fast"), t("slow")])),
          h("p", { class: "row" }, h("label", { for: "clock" }, t("moveClock")), this.clock),
          h("details", { class: "house" }, h("summary", {}, t("houseRules")), this.form.element))),
      h("section", { class: "deal" }, this.problem, this.summary,
        rulesButton(() => this.about(this.form.rules()), t("rulesInForce"), { id: "rules-in-force" }), this.start),
      h("footer", {}, h("p", { class: "keys" }, t("keys")), h("p", {}, t("disclaimer"))));
  }

  about(rules) {
    return { rules, players: this.plan.size || null, match: this.episode.value === "match" };
  }

  choose(variant) {
    this.variant = variant;
    change({ variant: variant.name });
    fillWith(this.tiles, this.catalogue.variants.map((each) => this.tile(each)));
    this.form.start(variant);
    this.drawLength();
    this.plan.start(variant);
  }

  tile(variant) {
    const chosen = variant === this.variant;
    const choose = () => { this.choose(variant); this.tiles.querySelector(":checked")?.focus(); };
    const rules = () => ({ rules: { variant: variant.name }, players: null, match: true });
    return h("div", { class: "tile-box" },
      h("label", { class: `tile${chosen ? " chosen" : ""}`, "data-variant": variant.name },
        h("input", { type: "radio", name: "variant", class: "unseen", checked: chosen, onchange: choose }),
        h("span", { class: "fan", "aria-hidden": "true" }, (SAMPLES[variant.name] ?? anyCards(variant)).map(cardFace)),
        h("strong", {}, variantWords(variant)),
        h("span", {}, t(`v_${variant.name}`)),
        h("small", {}, t("people", variant.players))),
      rulesButton(rules, t("rulesOf", { variant: variantWords(variant) })));
  }

  drawLength() {
    const chosen = this.episode.selectedIndex === 1;
    fillWith(this.episode, h("option", { value: "round" }, t("round")),
      h("option", { value: "match", selected: chosen }, t("match", { target: this.form.value("match_target") })));
    this.sumUp();
  }

  /** What is about to be dealt, in one line. */
  sumUp() {
    if (!this.plan.size) return;
    const changed = Object.keys(this.form.changes).length;
    this.summary.textContent = [variantWords(this.variant), this.plan.words(), this.episode.selectedOptions[0].text, changed && t("changedN", { n: changed })]
      .filter(Boolean).join(" · ");
    this.start.textContent = this.plan.hasOpen ? t("openTable") : t("start");
  }

  async deal() {
    this.problem.textContent = "";
    this.start.disabled = true;
    this.start.textContent = t("starting");
    try {
      const made = await post("/v1/tables", {
        rules: this.form.rules(), episode: this.episode.value, seats: this.plan.seats(),
        bot_delay: PACES[settings.pace], move_seconds: CLOCKS[this.clock.selectedIndex], waiting_room: this.plan.hasOpen,
      });
      const mine = made.seats.find((seat) => seat.token);
      keepSeat(made.table, { seat: mine?.seat ?? null, token: mine?.token ?? null, host: made.host_token });
      location.hash = `#/table/${made.table}`;
    } catch (error) {
      const why = error.details?.problems?.map((each) => each.message).join("; ") || error.message;
      const words = error.code === "rules" ? t("rulesClash", { why }) : t("error", { why });
      this.problem.textContent = words;
      toast(words, "problem");
      this.start.disabled = false;
      this.sumUp();
    }
  }
}

/** Two cards of a variant that has no sample yet. */
const anyCards = (variant) => Object.entries(variant.rules.deck ?? {}).filter(([, count]) => count).map(([card]) => card).slice(-2);
