// Who comes, goes away, comes back or leaves for good, told in the log where the game is told.
import { h } from "./dom.js";
import { botWords } from "./levels.js";
import { t } from "./ui.js";

const BRIEF = 3000;

/** Compares the seats of one state with those of the next. */
export class Presence {
  /** @param list the log's list, newest first */
  constructor(list) {
    this.list = list;
    this.before = null;
    this.away = new Map();
  }

  show(state, names) {
    const { seats } = state;
    if (this.before) seats.forEach((seat, n) => this.compare(this.before[n], seat, names, n === state.seat));
    this.before = seats;
  }

  compare(before, now, names, isMe) {
    const who = names[now.seat];
    if (isMe) return;
    if (now.left && !before.left) this.tell("left", t("presLeft", { who, bot: botWords(now.bot) }));
    else if (before.kind === "human" && now.kind === "human" && !before.open && !now.open) {
      if (before.present && !now.present) this.away.set(now.seat, { at: performance.now(), line: this.tell("away", t("presAway", { who })) });
      else if (!before.present && now.present) this.back(now.seat, who);
      if (!before.stand_in && now.stand_in) this.tell("stand-in", t("presStandIn", { who }));
    }
  }

  /** Somebody who only reloaded the page was never away. */
  back(seat, who) {
    const gone = this.away.get(seat);
    this.away.delete(seat);
    if (gone && performance.now() - gone.at < BRIEF) gone.line.remove();
    else this.tell("back", t("presBack", { who }));
  }

  tell(kind, text) {
    const line = h("li", { class: "presence", "data-presence": kind }, text);
    this.list.prepend(line);
    return line;
  }
}
