// The waiting room: who is host, what is played, who sits where and is ready, and how others come.
import { h, fillWith, toast } from "./dom.js";
import { get, getOnce, post } from "./api.js";
import { inviteBox } from "./invite.js";
import { allLevels, botWords, titleOf } from "./levels.js";
import { rulesButton } from "./rules_page.js";
import { t, variantWords } from "./ui.js";

export class WaitingRoom {
  /** @param table {id, token, host, root}: the screen whose seats wait */
  constructor(table) {
    this.table = table;
    this.title = h("h1", {});
    this.about = h("p", { class: "about" });
    this.seats = h("ol", { class: "room-seats", "aria-label": t("seats") });
    this.actions = h("div", { class: "row room-actions" });
    this.status = h("p", { class: "room-status", role: "status" });
  }

  show(state) {
    const { root } = this.table;
    if (!this.element) {
      this.element = this.layout();
      root.append(this.element);
      this.learn();
    }
    root.classList.add("waiting");
    this.state = state;
    this.draw();
  }

  hide() {
    this.table.root.classList.remove("waiting");
    this.element?.remove();
    this.element = null;
  }

  layout() {
    return h("div", { class: "waiting-room" },
      h("section", { class: "panel room" }, this.title, this.about, this.seats, this.status, this.actions),
      inviteBox(this.table.id));
  }

  /** The rules do not change while people wait. */
  async learn() {
    const about = await get(`/v1/tables/${this.table.id}`).catch(() => null);
    if (!about) return;
    const match = about.episode === "match";
    const rules = { rules: about.rules, players: about.num_players, match };
    const changed = Object.keys(about.rules).length - 1;
    const { variants } = await getOnce("/v1/variants");
    const variant = variants.find((each) => each.name === about.variant);
    const title = variant ? variantWords(variant) : about.variant;
    fillWith(this.about, h("strong", {}, title), ` · ${t("playersN", { n: about.num_players })}`, changed ? ` · ${t("changedN", { n: changed })}` : "",
      " ", rulesButton(() => rules, t("rulesOpen"), { id: "room-rules" }));
  }

  draw() {
    const { state } = this;
    const host = state.seats.find((seat) => seat.host);
    const open = state.seats.filter((seat) => seat.open);
    const mine = state.seat === null ? null : state.seats[state.seat];
    const isHost = this.isHost();
    this.element.classList.toggle("inviting", isHost && open.length > 0);
    this.title.textContent = mine?.host ? t("roomOwn") : t("roomOf", { host: host?.name ?? "" });
    fillWith(this.seats, state.seats.map((seat) => this.row(seat, isHost)));
    const waits = state.seats.filter((seat) => seat.kind === "human" && !seat.open && !(seat.ready && seat.present));
    this.status.textContent = open.length ? t(open.length === 1 ? "roomOpenOne" : "roomOpen", { n: open.length })
      : t("roomWaits", { names: waits.map((seat) => seat.name).join(", ") });
    fillWith(this.actions,
      mine && h("button", { type: "button", id: "ready", class: "primary", "aria-pressed": String(mine.ready), onclick: () => this.say(`/ready`, { ready: !mine.ready }) }, mine.ready ? t("notReady") : t("ready")),
      isHost && open.length > 0 && h("button", { type: "button", id: "fill", onclick: () => this.fill(open) }, t("fillBots")),
      mine && h("button", { type: "button", class: "quiet", id: "leave-room", onclick: () => this.table.leave() }, t("leave")));
  }

  isHost() {
    const { state, table } = this;
    return Boolean(table.host) || (state.seat !== null && state.seats[state.seat].host);
  }

  row(seat, isHost) {
    const isMe = seat.seat === this.state.seat;
    const name = seat.open ? t("seatOpen") : seat.name;
    const marks = [
      isMe && h("em", { class: "mark-me" }, t("you")),
      seat.host && h("em", { class: "mark-host" }, t("host")),
      seat.kind === "bot" && h("em", {}, botWords(seat.bot)),
      seat.kind === "human" && !seat.open && !seat.present && h("em", { class: "mark-away" }, t("away")),
    ];
    const ready = seat.kind === "bot" || (seat.ready && seat.present);
    const state = seat.open ? "open" : ready ? "ready" : "waits";
    return h("li", { class: `room-seat ${state}`, "data-seat": String(seat.seat), "data-state": state },
      h("span", { class: "ready-mark", role: "img", "aria-label": t(seat.open ? "seatOpen" : ready ? "isReady" : "isNotReady") }, seat.open ? "+" : ready ? "✓" : "…"),
      h("span", { class: "room-name" }, h("strong", {}, name), ...marks.filter(Boolean)),
      isHost && !seat.host && this.control(seat));
  }

  /** The host's choice for a seat: open, or a bot of a level. */
  control(seat) {
    const option = (value, text, selected) => h("option", { value, selected }, text);
    const isPerson = seat.kind === "human" && !seat.open;
    const select = h("select", {
      "aria-label": t("seatChange", { n: seat.seat + 1 }), id: `room-seat-${seat.seat}`,
      onchange: (event) => this.change(seat.seat, event.target.value),
    },
      isPerson && option("stay", seat.name, true),
      option("open", isPerson ? t("removePerson") : t("seatOpen"), seat.open),
      allLevels().map((level) => option(`bot:${level.bot}`, t("botLevel", { level: titleOf(level) }), seat.kind === "bot" && seat.bot === level.bot)),
      seat.kind === "bot" && !allLevels().some((level) => level.bot === seat.bot) && option(`bot:${seat.bot}`, seat.bot, true));
    return select;
  }

  change(seat, value) {
    if (value === "stay") return null;
    return this.say(`/seats/${seat}`, value === "open" ? { kind: "open" } : { kind: "bot", bot: value.slice(4) }, true);
  }

  async fill(open) {
    for (const seat of open) await this.say(`/seats/${seat.seat}`, { kind: "bot" }, true);
  }

  say(path, body, asHost = false) {
    const { id, token, host } = this.table;
    return post(`/v1/tables/${id}${path}`, body, asHost ? host ?? token : token)
      .catch((error) => toast(t("error", { why: error.message }), "problem"));
  }
}
