// Replays: open a file or a finished table. What cannot be opened is a page with a way home.
import { h, fillWith } from "./dom.js";
import { framesOf, readReplay, replayOf } from "./replay_file.js";
import { ReplayPlayer } from "./replay_player.js";
import { errorPage } from "./error_page.js";
import { loadRules } from "./consequences.js";
import { seatAt } from "./settings.js";
import { t } from "./ui.js";

export function showReplay(screen, table) {
  const show = new Replay(screen);
  if (table) show.fetchTable(table);
  else show.build();
  return () => show.end();
}

class Replay {
  constructor(screen) {
    this.screen = screen;
    this.player = null;
    this.ended = false;
  }

  /** The replay of a table, by its link. */
  async fetchTable(table) {
    fillWith(this.screen, h("p", { class: "loading" }, "…"));
    try {
      await this.open(await replayOf(table), table);
    } catch (error) {
      if (this.ended) return;
      const words = { no_such_table: t("replayGone"), not_over: t("replayNotOver"), away: t("away_server") }[error.code];
      fillWith(this.screen, errorPage(words ?? t("error", { why: error.message }), () => this.fetchTable(table)));
    }
  }

  build() {
    const pick = h("input", { type: "file", accept: ".json,application/json", id: "replay-file", onchange: (event) => this.read(event.target.files[0]) });
    this.problem = h("p", { class: "problem", role: "alert" });
    this.body = h("div", { class: "replay-body" });
    const drop = h("section", {
      class: "panel drop", ondragover: (event) => event.preventDefault(),
      ondrop: (event) => { event.preventDefault(); this.read(event.dataTransfer.files[0]); },
    }, h("h1", {}, t("replayTitle")), h("p", { class: "row" }, h("label", { for: "replay-file" }, t("openReplay")), pick),
    h("p", { class: "hint" }, t("replayHint")), this.problem);
    fillWith(this.screen, h("div", { class: "replay" }, drop, this.body));
  }

  async read(file) {
    if (!file) return;
    try {
      this.problem.textContent = "";
      await this.open(readReplay(await file.text()));
    } catch (error) {
      this.problem.textContent = t("badReplay", { why: error.message });
    }
  }

  /**
   * @param file {record, names}; names may be missing
   * @param table the id of the table it comes from, if it has a link of its own
   */
  async open(file, table = null) {
    const [first] = await Promise.all([framesOf(file.record, 0, 1), loadRules()]);
    if (this.ended) return;
    this.player?.end();
    const names = Array.from({ length: first.num_players }, (_, n) => file.names?.[n] || t("seat", { n: n + 1 }));
    const mine = table ? seatAt(table)?.seat ?? null : null;
    this.player = new ReplayPlayer({ record: file.record, names, steps: first.steps, table, mine });
    if (table) fillWith(this.screen, h("div", { class: "replay" }, this.player.element));
    else fillWith(this.body, this.player.element);
    await this.player.go(0);
  }

  end() {
    this.ended = true;
    this.player?.end();
  }
}
