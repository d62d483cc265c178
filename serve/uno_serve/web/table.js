// A table: the live stream drawn, and the decisions sent back.
import { h, fillWith, slider, toast } from "./dom.js";
import { get, post } from "./api.js";
import { Stream } from "./stream.js";
import { Seats, notesOf } from "./seats.js";
import { Center } from "./center.js";
import { Hand } from "./hand.js";
import { Prompt } from "./prompt.js";
import { Coach } from "./coach.js";
import { Log, sheetTable } from "./side.js";
import { stopFlights, willFly } from "./animate.js";
import { Story } from "./story.js";
import { TurnClock } from "./turn_clock.js";
import { play } from "./sound.js";
import { Drawer, feelPanel } from "./drawer.js";
import { loadRules, rulesOf } from "./consequences.js";
import { roundEnd, roundScene } from "./round_end.js";
import { change, forgetSeat, keepSeat, PACES, seatAt, settings } from "./settings.js";
import { showInvitation } from "./invite.js";
import { learnLevels } from "./levels.js";
import { partnerOf } from "./partner.js";
import { TableTools, askToLeave } from "./table_tools.js";
import { WaitingRoom } from "./waiting_room.js";
import { closingBox } from "./closing.js";
import { errorPage } from "./error_page.js";
import { t, countCards } from "./ui.js";

/** Show a table, or the way to a seat at it; returns what ends the screen. */
export function showTable(screen, id) {
  let end = () => {};
  let gone = false;
  // At once, or the table before, whose stream has ended, would stay until this one is loaded.
  fillWith(screen, h("p", { class: "loading" }, "…"));
  const open = async () => {
    try {
      const [about, bots] = await Promise.all([get(`/v1/tables/${id}`), learnLevels(), loadRules()]);
      if (gone) return;
      const mine = seatAt(id);
      if (!mine && about.seats.some((seat) => seat.open)) {
        showInvitation(screen, id, about, (seat) => { if (seat) keepSeat(id, seat); start(bots, seat); });
      } else start(bots, mine);
    } catch (error) {
      if (gone) return;
      if (error.code === "away") setTimeout(() => !gone && open(), 1500);
      fillWith(screen, errorPage(error.status === 404 ? t("tableGone") : t("away_server")));
    }
  };
  const start = (bots, mine) => {
    const table = new TableScreen(screen, id, mine, bots);
    end = () => table.end();
  };
  open();
  return () => { gone = true; end(); };
}

class TableScreen {
  constructor(screen, id, mine, bots) {
    this.id = id;
    this.token = mine?.token ?? null;
    this.host = mine?.host ?? null;
    this.seats = new Seats();
    this.center = new Center((action) => this.act(action));
    this.hand = new Hand((action) => this.act(action));
    this.prompt = new Prompt((action) => this.act(action), this.seats);
    this.log = new Log();
    this.coach = new Coach(bots, () => this.advise());
    this.banner = h("p", { class: "banner", role: "status" });
    this.clock = new TurnClock(this.seats);
    this.me = h("div", { class: "me" });
    this.story = new Story(this);
    this.ticker = h("p", { class: "ticker", "aria-hidden": "true" });
    this.overlay = h("div", { class: "overlay" });
    this.sheet = h("div", {});
    this.ended = null;
    this.root = this.layout();
    fillWith(screen, this.root);
    this.waiting = new WaitingRoom(this);
    this.tools = new TableTools(this);
    this.onkey = (event) => this.key(event);
    document.addEventListener("keydown", this.onkey);
    this.stream = new Stream(id, this.token, {
      state: (state, fresh) => this.hear(state, fresh),
      error: (error) => this.refused(error),
      reaction: (message) => this.tools.heard(message),
      away: () => { this.banner.textContent = t("away_server"); },
      back: () => { this.banner.textContent = ""; toast(t("again")); },
      bye: (code) => this.bye(code),
    });
  }

  layout() {
    this.drawer = new Drawer([this.token && this.coach.element, this.host && this.pacePanel(), this.sheet, this.log.element, feelPanel(),
      h("p", { class: "row leaving" }, h("a", { class: "button home", href: "#/" }, t("toLobby")),
        this.token && h("button", { type: "button", class: "quiet", id: "leave", onclick: () => this.leave() }, t("leave")))]);
    this.toolSlots = [h("div", { class: "tools left" }), h("div", { class: "tools right" }, this.drawer.button)];
    return h("div", { class: `table-screen${this.token ? "" : " watching"}`, "data-table": this.id },
      h("a", { class: "skip", href: "#hand", onclick: (event) => { event.preventDefault(); this.hand.focusFirst(); } }, t("skipToHand")),
      this.banner,
      h("div", { class: "board" },
        h("div", { class: "felt" }, this.seats.element, this.center.element, this.toolSlots),
        h("div", { class: "front" },
          h("div", { class: "front-bar" }, this.me, this.ticker, this.clock.badge, this.clock.clock), this.prompt.element, this.hand.element),
        this.overlay),
      this.drawer.element);
  }

  pacePanel() {
    const set = (event) => {
      change({ pace: Number(event.target.value) });
      post(`/v1/tables/${this.id}/pace`, { bot_delay: PACES[settings.pace] }, this.host).catch((error) => toast(t("error", { why: error.message }), "problem"));
    };
    return h("section", { class: "panel row" }, h("label", { for: "table-pace" }, t("speed")),
      slider({ id: "table-pace", max: PACES.length - 1, value: settings.pace, onchange: set }, [t("fast"), t("slow")]));
  }

  /** A state arrived. While the end of a round is looked at, what comes after it waits. */
  hear(state, fresh) {
    const whole = fresh ? state : { ...state, events: [...(this.held?.events ?? []), ...state.events] };
    if (this.held && !fresh && state.status === "playing") {
      this.held = whole;
      return;
    }
    this.held = null;
    const end = roundEnd(whole.events);
    if (end) this.ended = end;
    if (end && !fresh && state.status === "playing" && this.state?.view) this.showRoundEnd(whole, end);
    else this.show(whole, fresh);
  }

  showRoundEnd(state, end) {
    this.held = state;
    this.root.dataset.asked = "";
    this.state = { ...this.state, legal: [], move: state.move };
    stopFlights();
    this.center.land();
    play(end.winners.includes(this.names.me) ? "win" : "turn");
    fillWith(this.overlay, roundScene(end, state.sheet, this.names, () => this.nextRound()));
    this.overlay.querySelector("button")?.focus({ preventScroll: true });
  }

  /** The end of the round has been looked at: show what has happened since. */
  nextRound() {
    const { held } = this;
    if (!held) return;
    this.held = null;
    if (this.token) this.stream.send({ type: "next-round" });
    this.state = { ...this.state, move: undefined };
    this.show(held, false);
  }

  show(state, fresh) {
    const isNews = state.move !== this.state?.move || state.game !== this.state?.game;
    this.clock.hear(state, isNews);
    this.state = state;
    this.names = { me: state.seat ?? null, partner: partnerOf(state.view, state.seat), names: state.seats.map((seat, n) => seat.name || t("seat", { n: n + 1 })) };
    if (fresh) {
      this.log.clear();
      if (state.status !== "over") this.ended = null;
    }
    this.tools.show(state);
    if (!state.view) return this.waiting.show(state);
    this.waiting.hide();
    if (isNews) this.hints = null;
    const told = this.log.add(state.events, this.names, rulesOf(state.view));
    this.ticker.textContent = this.log.last;
    const flies = !fresh && state.status !== "over" && willFly(told);
    const spots = this.story.spots(told, this.names.me);
    this.draw(flies);
    if (state.status === "over") {
      stopFlights();
      this.center.land();
      this.coach.clear();
      if (!fresh && told.length) play(state.view.winners.includes(this.names.me) ? "win" : "turn");
    } else if (!fresh) this.story.tell(told, this.names, spots, flies);
    if (isNews && state.legal.length) {
      this.advise();
      if (!fresh) play("turn");
      if (document.activeElement === document.body) this.focusDecision();
    }
    return this.clock.tick();
  }

  draw(flies = false) {
    const { state, names } = this;
    this.root.dataset.game = String(state.game);
    this.root.dataset.asked = state.legal.length && this.sent !== state.move ? String(state.move) : "";
    this.root.classList.toggle("my-turn", state.legal.length > 0);
    this.seats.show(state, names);
    this.center.show(state, flies);
    if (names.me !== null) this.hand.show(state, this.hints, names);
    this.prompt.show(state, names, this.hints);
    this.drawMe(state);
    fillWith(this.sheet, state.view.episode === "match" && state.sheet.length
      ? h("section", { class: "panel" }, h("h2", {}, t("sheet")), sheetTable(state.sheet, names.names)) : null);
    fillWith(this.overlay, state.status === "over" ? closingBox(this, state, this.ended) : null);
  }

  drawMe(state) {
    const me = this.names.me;
    this.clock.show(state);
    if (me === null) return fillWith(this.me, h("em", {}, t("spectating")));
    const say = this.me.querySelector(".say");
    return fillWith(this.me, h("strong", {}, this.names.names[me]), h("span", { class: "count" }, countCards(state.view.hand_sizes[me])),
      notesOf(me, state).map((note) => h("em", {}, note)), say);
  }

  focusDecision() {
    // A finger needs no focus, and its ring would cover a neighbour.
    if (matchMedia("(pointer: coarse)").matches) return;
    const target = this.hand.element.querySelector(".lively") ?? this.prompt.element.querySelector("button:not(:disabled)")
      ?? this.seats.element.querySelector(".pick");
    target?.focus({ preventScroll: true });
  }

  key(event) {
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "Escape" && this.drawer.isOpen) this.drawer.open(false);
    else if (!this.held) this.prompt.key(event);
  }

  act(action) {
    const { state } = this;
    if (!state?.legal.some((each) => each.action === action) || this.sent === state.move) return;
    this.sent = state.move;
    this.root.dataset.asked = "";
    if (!this.stream.act(action, state.move)) {
      this.sent = null;
      toast(t("away_server"), "problem");
    }
  }

  refused(error) {
    this.sent = null;
    toast(t("error", { why: error.message }), "problem");
    if (this.state?.view && !this.held) this.draw();
  }

  /** Ask the coach about the decision at hand. */
  async advise() {
    const { state } = this;
    if (!this.token || !state?.legal.length || !this.coach.on) {
      this.hints = this.coach.clear();
      if (state?.view && !this.held) this.draw();
      return;
    }
    try {
      const advice = await post(`/v1/tables/${this.id}/advice`, { bot: this.coach.bot }, this.token);
      if (this.state.move !== state.move || this.held) return;
      this.hints = this.coach.show(advice, state, this.names);
      const focused = document.activeElement?.dataset?.action;
      this.draw();
      if (focused) document.querySelector(`[data-action="${CSS.escape(focused)}"]`)?.focus();
    } catch (error) {
      if (!["not_your_decision", "away"].includes(error.code)) toast(t("error", { why: error.message }), "problem");
    }
  }

  async leave() {
    const answer = await askToLeave(this.state?.status === "over");
    if (answer === "keep") location.hash = "#/";
    if (answer !== "leave") return;
    await post(`/v1/tables/${this.id}/leave`, {}, this.token).catch((error) => toast(error.message, "problem"));
    forgetSeat(this.id);
    location.hash = "#/";
  }

  rematch() {
    return post(`/v1/tables/${this.id}/rematch`, {}, this.token ?? this.host);
  }

  bye(code) {
    this.banner.textContent = code === 4404 ? t("tableGone") : code === 1000 ? t("seatLost") : t("closed");
    if (code === 4403 || code === 1000) forgetSeat(this.id);
  }

  end() {
    document.removeEventListener("keydown", this.onkey);
    this.clock.stop();
    this.hand.end();
    stopFlights();
    this.tools.end();
    this.stream.end();
  }
}
