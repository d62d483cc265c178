// After a game: who wants another one, and who is still to say so.
import { h } from "./dom.js";
import { t } from "./ui.js";

/** The votes of the people at the table; nothing where one person plays against bots. */
export function rematchVotes(state, names) {
  const people = state.seats.filter((seat) => seat.kind === "human" && !seat.open);
  if (people.length < 2) return null;
  return h("ul", { class: "votes", "aria-label": t("votes") }, people.map((seat) => {
    const wants = state.rematch.includes(seat.seat);
    const words = wants ? t("voteYes") : seat.present ? t("voteOpen") : t("away");
    return h("li", { "data-seat": String(seat.seat), "data-vote": wants ? "yes" : "open" },
      h("span", { class: "vote-mark", "aria-hidden": "true" }, wants ? "✓" : "…"), h("strong", {}, names[seat.seat]), ` ${words}`);
  }));
}
