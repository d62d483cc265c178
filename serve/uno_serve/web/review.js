// The review of a game: where the coach would have chosen otherwise, what that cost, and the way there.
import { h, fillWith } from "./dom.js";
import { postText } from "./api.js";
import { writeReplay } from "./replay_file.js";
import { percent } from "./coach.js";
import { actionWords } from "./words.js";
import { t } from "./ui.js";

const PAGE = 20;
const COSTLIEST = 3;
/** Less than this is noise of the simulations. */
const LEAST_COST = 0.02;

export class ReviewPanel {
  /** @param options {record, names, mine, go, mark}: `mine` is whose decisions are reviewed first */
  constructor({ record, names, mine, go, mark }) {
    Object.assign(this, { record, names, go, mark });
    this.seat = mine;
    this.decisions = [];
    this.pick = h("select", { id: "review-seat", "aria-label": t("reviewWhose"), onchange: (event) => { this.seat = Number(event.target.value); this.run(); } },
      names.map((name, seat) => h("option", { value: String(seat), selected: seat === mine }, name)));
    this.start = h("button", { type: "button", class: "primary", id: "review", onclick: () => this.run() }, t("reviewStart"));
    this.found = h("div", { class: "review-found", role: "status" });
    this.now = h("div", { class: "review-now" });
    this.element = h("section", { class: "panel review" }, h("h2", {}, t("reviewTitle")),
      h("p", { class: "hint" }, t("reviewHint")), h("div", { class: "row" }, this.pick, this.start), this.found, this.now);
  }

  /** Have every decision of the seat judged, a page at a time. */
  async run() {
    const { seat } = this;
    const run = (this.running = Symbol("review"));
    this.decisions = [];
    this.start.disabled = true;
    try {
      let total = 1;
      while (this.decisions.length < total) {
        fillWith(this.found, h("progress", { max: total, value: this.decisions.length, "aria-label": t("reviewTitle") }));
        const body = writeReplay({ record: this.record, seat, from: this.decisions.length, count: PAGE });
        const page = JSON.parse(await postText("/v1/review", body));
        if (run !== this.running) return;
        this.decisions.push(...page.decisions);
        total = page.total;
        if (!page.decisions.length) break;
      }
      this.tell();
    } catch (error) {
      if (run === this.running) fillWith(this.found, h("p", { class: "problem" }, t("error", { why: error.message })));
    }
    this.start.disabled = false;
  }

  /** The costliest choices, and how often both agreed. */
  tell() {
    const costly = this.decisions.filter((each) => each.cost >= LEAST_COST).sort((a, b) => b.cost - a.cost);
    this.mark(new Map(costly.map((each) => [each.step, `−${percent(each.cost)}`])));
    const agreed = this.decisions.length - costly.length;
    fillWith(this.found, h("p", {}, t("reviewAgreed", { n: agreed, all: this.decisions.length })),
      costly.length > 0 && h("ol", { class: "costliest" }, costly.slice(0, COSTLIEST).map((each) => h("li", {},
        h("button", { type: "button", class: "jump", "data-jump": String(each.step), onclick: () => this.go(each.step - 1) },
          h("strong", {}, t("step_n", { n: each.step })), " ", this.verdict(each))))),
      costly.length > 1 && h("div", { class: "row" },
        h("button", { type: "button", id: "review-previous", onclick: () => this.jump(-1) }, t("reviewPrevious")),
        h("button", { type: "button", id: "review-next", onclick: () => this.jump(1) }, t("reviewNext"))));
    this.show(this.at ?? 0);
  }

  /** "wild +4 instead of red 7: 41% instead of 30%". */
  verdict(each) {
    const view = { num_players: this.names.length, pending: each.pending };
    const words = (action) => actionWords(action, this.seat, view, { me: null, names: this.names });
    const chance = (win) => (win === null ? "–" : percent(win));
    return t("reviewVerdict", { best: words(each.best), yours: words(each.action), bestWin: chance(each.best_win), win: chance(each.win) });
  }

  /** To the next or the previous decision the coach would have taken otherwise. */
  jump(direction) {
    const steps = this.decisions.filter((each) => each.cost >= LEAST_COST).map((each) => each.step - 1);
    const there = direction > 0 ? steps.find((step) => step > this.at) : steps.findLast((step) => step < this.at);
    if (there !== undefined) this.go(there);
  }

  /** The verdict on the decision that comes next at a step. */
  show(step) {
    this.at = step;
    const each = this.decisions.find((decision) => decision.step === step + 1);
    fillWith(this.now, each && h("p", { class: each.cost >= LEAST_COST ? "differs" : "agrees" },
      each.cost >= LEAST_COST ? this.verdict(each) : t("reviewSame", { win: each.win === null ? "–" : percent(each.win) })));
  }

  end() {
    this.running = null;
  }
}
