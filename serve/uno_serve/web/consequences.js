// What follows from a choice, worked out from the view and the rules in force: whom a penalty hits,
// what a challenge costs, what a hand adds up to.
import { getOnce } from "./api.js";

let presets = new Map();

/** Load the presets once; until then, and for a variant it does not know, rules are only the differences. */
export async function loadRules() {
  const { variants } = await getOnce("/v1/variants");
  presets = new Map(variants.map((variant) => [variant.name, variant.rules]));
}

/** The value of every rule at a table, from its view: the preset and what differs from it. */
export const rulesOf = (view) => ({ ...presets.get(view.variant), ...view.rules });

export const isLive = (view, seat) => !view.eliminated.includes(seat) && !view.out.includes(seat);

/** The seat after another in the direction of play, among those still in play. */
export function nextSeat(view, from, direction = view.direction) {
  const size = view.num_players;
  for (let step = 1; step <= size; step += 1) {
    const seat = (((from + direction * step) % size) + size) % size;
    if (isLive(view, seat)) return seat;
  }
  return from;
}

/** How many cards a face makes somebody draw. */
export const drawValue = (card) => Number(/draw(\d+)$/.exec(card.replace("+give", ""))?.[1] ?? 0);

/** What a card laid on a penalty does: the new total and whom it then faces, or that it cancels the penalty. */
export function stackOutcome(view, seat, card) {
  const more = drawValue(card);
  if (!more) return { cancels: true };
  let to = nextSeat(view, seat);
  if (card.includes("reverse")) {
    to = nextSeat(view, seat, -view.direction);
    const live = view.hand_sizes.filter((_, each) => isLive(view, each)).length;
    if (live === 2 && rulesOf(view).reverse_draw4_two_player === "hits_player") to = seat;
  }
  return { total: view.pending.amount + more, to };
}

/** What a challenge of a wild +4 costs: a bluffer, and a challenger who was wrong. */
export function challengeStakes(view) {
  const rules = rulesOf(view);
  const amount = view.pending?.amount ?? 4;
  if (rules.challenge_surcharge) {
    const stake = Math.floor((amount * (100 + rules.challenge_surcharge)) / 100);
    return { bluffer: stake, challenger: stake };
  }
  const more = rules.stacking === "none" ? 0 : amount - 4;
  return { bluffer: rules.challenge_success_draw + more, challenger: rules.challenge_fail_draw + more };
}

const COLORED = /^(red|yellow|green|blue)-/;

function pointsOf(card, rules) {
  const kind = card.replace(COLORED, "").replace("+give", "");
  if (rules.points?.[kind] !== undefined) return rules.points[kind];
  if (!COLORED.test(card)) return rules.value_wild;
  return /^\d$/.test(kind) ? Number(kind) : rules.value_action;
}

/** The arithmetic of a sum, "3 + 2 + 4 = 9"; empty where it does not come out, and so is better left unsaid. */
export function sumText(view) {
  const rules = rulesOf(view);
  const points = view.hand.map((card) => pointsOf(card, rules));
  const total = points.reduce((sum, each) => sum + each, 0);
  return total === pointsOf(view.top_card, rules) ? `${points.join(" + ")} = ${total}` : "";
}

/** The seats that actions of a kind point at: [[seat, action], …]. */
export function targetsOf(state) {
  const { num_players: size } = state.view;
  return state.legal.filter(({ action }) => action.startsWith("target "))
    .map(({ action }) => [(state.seat + Number(action.split(" ")[1])) % size, action]);
}
