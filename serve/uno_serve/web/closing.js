// The end of a game: who won, the sheet, another game, the replay.
import { h, toast } from "./dom.js";
import { replayOf, saveReplay, sharer } from "./replay_file.js";
import { rematchVotes } from "./rematch_votes.js";
import { sheetTable } from "./side.js";
import { t } from "./ui.js";

export function closingBox(screen, state) {
  const { me, names } = screen.names;
  const winners = state.view.winners;
  let words = t("noWinner");
  if (winners.includes(me)) words = t("youWon");
  else if (winners.length) words = t("won", { who: winners.map((seat) => names[seat]).join(" · ") });
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
  return h("section", { class: `panel box closing${winners.includes(me) ? " won" : ""}`, role: "region", "aria-label": t("over") },
    h("h2", {}, words), sheetTable(state.sheet, names), rematchVotes(state, names),
    h("p", { class: "row" }, (screen.token || screen.host) && again,
      h("button", { type: "button", id: "save-replay", onclick: withReplay((replay) => saveReplay(file, replay)) }, t("download")),
      share && h("button", { type: "button", onclick: withReplay(share) }, t("share")),
      h("a", { class: "button", href: `#/replay/${encodeURIComponent(screen.id)}` }, t("review")),
      h("a", { class: "button", href: "#/" }, t("newGame"))));
}
