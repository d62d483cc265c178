// Beside the table, in the bar at the top: the rules, what each card does, reactions, who is there.
import { h, fillWith, toast } from "./dom.js";
import { post } from "./api.js";
import { explainCards } from "./card_help.js";
import { ask, openDialog } from "./dialog.js";
import { allLevels, botWords, titleOf } from "./levels.js";
import { partnerOf } from "./partner.js";
import { Presence } from "./presence.js";
import { countGame, ratingWords } from "./rating.js";
import { reactionButton, showReaction } from "./reactions.js";
import { openRules, rulesButton } from "./rules_page.js";
import { t } from "./ui.js";

const NARROW = "(max-width: 62rem), (max-height: 36rem)"; // as in styles/table.css

export class TableTools {
  /** @param table the table's screen: {id, token, host, root, log, stream} */
  constructor(table) {
    this.table = table;
    this.slot = document.getElementById("tools");
    this.presence = new Presence(table.log.list);
    this.stopHelp = explainCards(table.root, () => this.about());
    this.people = h("button", { type: "button", class: "tool", id: "people", "aria-label": t("peopleAt"), title: t("peopleAt"), onclick: () => this.openPeople() },
      h("span", { class: "people-mark", "aria-hidden": "true" }));
    this.key = (event) => this.hearKey(event);
    document.addEventListener("keydown", this.key);
    this.buttons = [rulesButton(() => this.about(), t("rulesOpen"), { id: "table-rules" }), table.token && reactionButton((symbol) => this.react(symbol))];
    this.narrow = matchMedia(NARROW);
    this.place = () => this.placeButtons();
    this.narrow.addEventListener("change", this.place);
    this.place();
  }

  /** In the bar at the top; on a phone, which has no room for the bar, on the felt. */
  placeButtons() {
    const [left, right] = this.table.toolSlots;
    if (this.narrow.matches) {
      fillWith(left, this.buttons);
      right.prepend(this.people);
    } else fillWith(this.slot, this.buttons, this.people);
  }

  /** Call with every state. */
  show(state) {
    this.state = state;
    this.names = state.seats.map((seat, n) => seat.name || t("seat", { n: n + 1 }));
    this.presence.show(state, this.names);
    this.refresh?.();
    if (state.status === "over") this.rate(state);
    else this.rated = null;
  }

  rate(state) {
    const gained = countGame(this.table.id, state, state.seat ?? null);
    if (gained !== null) this.rated = `${t(gained < 0 ? "ratingDown" : "ratingUp", { n: Math.abs(gained) })} ${ratingWords()}`;
  }

  /** The rules in force; `about.rules` of a view holds what differs from the variant. */
  about() {
    const view = this.state?.view;
    return view && { rules: { variant: view.variant, ...view.rules }, players: view.num_players, match: view.episode === "match" };
  }

  hearKey(event) {
    if (event.key !== "?" || event.target.closest?.("input, select, textarea, dialog") || !this.about()) return;
    openRules(this.about());
  }

  react(symbol) {
    this.table.stream.send({ type: "reaction", symbol });
  }

  heard(message) {
    showReaction(message, this.state?.seat ?? null, this.names ?? []);
  }

  // Who is at the table; the host may replace somebody who is gone.

  openPeople() {
    const list = h("ul", { class: "people-list" });
    this.refresh = () => this.state && fillWith(list, this.state.seats.map((seat) => this.person(seat)));
    this.refresh();
    openDialog({ title: t("peopleAt"), className: "people", content: list, onclose: () => { this.refresh = null; } });
  }

  person(seat) {
    const me = this.state.seat ?? null;
    const isHost = Boolean(this.table.host) || (me !== null && this.state.seats[me].host);
    const isPerson = seat.kind === "human" && !seat.open;
    const marks = [
      seat.seat === me && t("you"), seat.seat === partnerOf(this.state.view, me) && t("partner"), seat.host && t("host"),
      seat.left ? t("leftBot") : seat.kind === "bot" && botWords(seat.bot),
      isPerson && (seat.stand_in ? t("standIn") : seat.present ? t("here") : t("away")),
    ];
    return h("li", { "data-seat": String(seat.seat) }, h("strong", {}, this.names[seat.seat]), h("span", {}, marks.filter(Boolean).join(" · ")),
      isHost && seat.seat !== me && this.state.status !== "waiting" && this.replacer(seat, isPerson));
  }

  replacer(seat, isPerson) {
    const select = h("select", { "aria-label": t("replaceBy", { who: this.names[seat.seat] }), onchange: (event) => this.replace(seat, event.target.value, isPerson) },
      h("option", { value: "" }, isPerson ? t("replace") : t("changeBot")),
      allLevels().map((level) => h("option", { value: level.bot }, t("botLevel", { level: titleOf(level) }))));
    return select;
  }

  async replace(seat, bot, isPerson) {
    if (!bot) return;
    const who = this.names[seat.seat];
    const sure = !isPerson || await ask(t("replaceBy", { who }), t("replaceSure", { who }), [{ value: "yes", text: t("replace"), primary: true }, { value: "no", text: t("cancel") }]) === "yes";
    if (sure) await post(`/v1/tables/${this.table.id}/seats/${seat.seat}`, { kind: "bot", bot }, this.table.host ?? this.table.token).catch((error) => toast(t("error", { why: error.message }), "problem"));
    this.refresh?.();
  }

  end() {
    document.removeEventListener("keydown", this.key);
    this.narrow.removeEventListener("change", this.place);
    this.stopHelp();
    fillWith(this.slot);
    document.querySelectorAll(".reaction, dialog.people").forEach((each) => each.remove());
  }
}

/** Leaving asks first: go away for a while and keep the seat, or leave for good. */
export const askToLeave = (over) => ask(t("leave"), over ? t("leaveOver") : t("leaveText"), [
  { value: "keep", text: t("leaveKeep"), primary: !over },
  { value: "leave", text: t("leaveGo"), primary: over },
  { value: "stay", text: t("leaveStay") },
]);
