// The end of a game: who won, open hands, the sheet and its curve, another game, the replay.
import { h, toast } from "./dom.js";
import { replayOf, saveReplay, sharer } from "./replay_file.js";
import { handsTable, winnerWords } from "./round_end.js";
import { scoreCurve } from "./score_curve.js";
import { rematchVotes } from "./rematch_votes.js";
import { sheetTable } from "./side.js";
import { rulesOf } from "./consequences.js";
import { t } from "./ui.js";

/** @param end what `roundEnd` found of the last round; null if its events are not known */
export function closingBox(screen, state, end) {
  const { me } = screen.names;
  const { winners, episode } = state.view;
  const isMatch = episode === "match";
  const asked = state.rematch.includes(me);
  const again = h("button", {
    type: "button", class: "primary", id: "rematch", disabled: asked,
    onclick: () => screen.rematch().catch((error) => toast(t("error", { why: error.message }), "problem")),
  }, asked ? t("rematchAsked") : t("rematch"));
  const file = `uno-${screen.id.slice(0, 6)}.json`;
  const share = sharer(file);
  const withReplay = (use) => async () => {
    try {
      await use(await replayOf(screen.id));
    } catch (error) {
      if (error.name !== "AbortError") toast(t("error", { why: error.message }), "problem");
    }
  };
  return h("section", { class: `panel box scene closing${winners.includes(me) ? " won" : ""}`, role: "region", "aria-label": t("over") },
    h("h2", {}, winnerWords(winners, screen.names)),
    end && handsTable(end, state.sheet.at(-1), state.sheet.at(-2)?.scores, screen.names, isMatch),
    isMatch && scoreCurve(state.sheet, screen.names.names, rulesOf(state.view).match_target),
    isMatch && sheetTable(state.sheet, screen.names.names),
    screen.tools.rated && h("p", { class: "rating", role: "status" }, screen.tools.rated),
    rematchVotes(state, screen.names.names),
    h("p", { class: "row" }, (screen.token || screen.host) && again,
      h("a", { class: "button", href: `#/replay/${encodeURIComponent(screen.id)}` }, t("review")),
      h("button", { type: "button", id: "save-replay", onclick: withReplay((replay) => saveReplay(file, replay)) }, t("download")),
      share && h("button", { type: "button", onclick: withReplay(share) }, t("share")),
      h("a", { class: "button", href: "#/" }, t("newGame"))));
}
