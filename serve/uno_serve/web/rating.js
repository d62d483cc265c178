// A running rating of this player against the levels, kept in this browser alone.
import { allLevels, levelOf, titleOf } from "./levels.js";
import { partnerOf } from "./partner.js";
import { t } from "./ui.js";

const KEY = "uno-rating";
const START = 1000;
const MOST_KEPT = 60;

export function rating() {
  const fresh = { points: START, games: 0, wins: 0, counted: [] };
  try {
    return { ...fresh, ...JSON.parse(localStorage.getItem(KEY)) };
  } catch {
    return fresh;
  }
}

const strength = (points) => 10 ** (points / 400);

/**
 * The chance that this player wins among rated opponents (Bradley-Terry for several players).
 * @param own points of the player
 * @param mates points of those who win with the player
 */
export function chanceToWin(own, mates, others) {
  const ours = [own, ...mates].reduce((sum, points) => sum + strength(points), 0);
  return ours / (ours + others.reduce((sum, points) => sum + strength(points), 0));
}

/** Points after a game: more for a win that was unlikely; a newcomer's move faster. */
export function updated(before, chance, won) {
  const step = before.games < 20 ? 48 : 24;
  return Math.round(before.points + step * ((won ? 1 : 0) - chance));
}

/** Count a game that is over, once, if all opponents were bots with a level; returns the change or null. */
export function countGame(table, state, me) {
  const key = `${table}/${state.game}`;
  const now = rating();
  if (me === null || now.counted.includes(key) || !state.view.winners.length) return null;
  const others = state.seats.filter((seat) => seat.seat !== me);
  if (!others.every((seat) => seat.kind === "bot" && !seat.left && levelOf(seat.bot))) return null;
  const partner = partnerOf(state.view, me);
  const points = (seats) => seats.map((seat) => levelOf(seat.bot).rating);
  const chance = chanceToWin(now.points, points(others.filter((seat) => seat.seat === partner)),
    points(others.filter((seat) => seat.seat !== partner)));
  const won = state.view.winners.includes(me);
  const after = {
    points: updated(now, chance, won), games: now.games + 1, wins: now.wins + (won ? 1 : 0),
    counted: [...now.counted, key].slice(-MOST_KEPT),
  };
  localStorage.setItem(KEY, JSON.stringify(after));
  return after.points - now.points;
}

/** The rating in one line: points, the nearest level, games. */
export function ratingWords() {
  const { points, games, wins } = rating();
  const levels = allLevels();
  if (!games || !levels.length) return t("ratingNone");
  const near = levels.reduce((best, level) => (Math.abs(level.rating - points) < Math.abs(best.rating - points) ? level : best));
  return t("ratingIs", { points, level: titleOf(near), games, wins });
}
