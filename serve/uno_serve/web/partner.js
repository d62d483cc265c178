// Teams: who plays with whom.

/** The seat of the partner of a seat, or null where everybody plays alone. */
export function partnerOf(view, seat) {
  if (seat === null || seat === undefined || !view) return null;
  const mode = view.rules?.team_mode ?? (view.variant === "teams" ? "pairs" : "none");
  return mode === "pairs" ? (seat + view.num_players / 2) % view.num_players : null;
}
