// The words of a prompt: what is asked, and what follows from each answer.
import * as en from "./texts/prompts_en.js";
import * as fr from "./texts/prompts_fr.js";
import { cardWords, colorWords, fill, taskWords } from "./words.js";
import { challengeStakes, nextSeat, rulesOf, stackOutcome, sumText } from "./consequences.js";
import { language } from "./language.js";
import { countCards, t } from "./ui.js";

const TEXTS = { en, fr };
const texts = () => TEXTS[language()];

/** French sets a space before some signs, at which a line must not break. */
const unbroken = (text) => (language() === "fr" ? text.replace(/ ([:;!?])/g, "\u00a0$1") : text);

/** What laying a card on a penalty does instead of growing it. */
export const cancelWords = () => texts().cancels;

const can = (state, verb) => state.legal.some(({ action }) => action.split(" ")[0] === verb);

/** Which prompt a decision of the reader gets. */
const KEYS = {
  "play": (state) => {
    if (can(state, "play")) return can(state, "draw") ? "playOrDraw" : "playOnly";
    if (!can(state, "draw")) return "passOnly";
    return rulesOf(state.view).draw_policy === "until_playable" ? "drawUntil" : "drawOnly";
  },
  "play-drawn": (state) => {
    if (!can(state, "keep")) return "playDrawnMust";
    return rulesOf(state.view).play_after_draw_scope === "any_card" ? "playDrawnAny" : "playDrawn";
  },
  "stack": (state) => {
    if (can(state, "challenge")) return "contest";
    return can(state, "play") ? "stack" : "stackNone";
  },
  "challenge": ({ view }) => (view.color_before ? "challenge" : "challengeBlind"),
  "color": ({ view }) => (view.pending?.amount ? "colorPenalty" : "color"),
  "roulette-color": () => "roulette",
  "swap-target": () => "swapTarget",
  "swap-pair": () => "swapPair",
  "opening-swap": () => "swapPair",
  "pass-card": () => "passCard",
  "exchange": () => "exchange",
  "give-half": () => "giveHalf",
  "team-play": () => "teamPlay",
  "uno-call": ({ view, seat }) => (view.subject === seat ? "unoCall" : "unoCallFor"),
  "uno-catch": () => "unoCatch",
  "react": (state) => {
    if (!can(state, "sum") || !sumText(state.view)) return can(state, "sum") ? "sum" : "jumpIn";
    return can(state, "jump-in") ? "jumpOrSum" : "sum";
  },
  "opening-color": () => "openingColor",
  "draw-target": () => "drawTarget",
  "play-more": () => "playMore",
};

/** A kind of card in words: those of the card without those of its colour. */
function kindWords(card) {
  const color = /^(red|yellow|green|blue)-/.exec(card)?.[1];
  if (!color) return "";
  return cardWords(card.replace("+give", "")).replace(colorWords(color), "").trim();
}

function matchWords(state) {
  const { view } = state;
  if (!view.active_color) return "";
  const kind = view.top_card ? kindWords(view.top_card) : "";
  const { matches } = texts();
  const template = can(state, "play") ? (kind ? matches.kind : matches.color) : (kind ? matches.none : matches.noneColor);
  return fill(template, { color: colorWords(view.active_color), kind });
}

/** What the raised cards do to a penalty; to whom it goes is left out where that depends on the card. */
function answerWords(state, name) {
  if (state.view.phase !== "stack") return "";
  const cards = state.legal.map(({ action }) => action.split(" ")).filter(([verb]) => verb === "play").map(([, card]) => card);
  const outcomes = cards.map((card) => stackOutcome(state.view, state.seat, card));
  const seats = new Set(outcomes.filter((each) => !each.cancels).map((each) => each.to));
  const [only] = seats;
  const to = seats.size === 1 && only !== state.seat ? fill(texts().onTo, { who: name(only) }) : "";
  const { sends, cancels } = texts().answers;
  return (seats.size ? fill(sends, { to }) : "") + (outcomes.some((each) => each.cancels) ? cancels : "");
}

function places(state, table) {
  const { view, seat } = state;
  const rules = rulesOf(view);
  const name = (who) => (who === table.partner && who !== null ? `${table.names[who]} (${t("partner")})` : table.names[who] ?? "");
  const source = name(view.pending ? view.pending.source : view.player);
  const color = colorWords(view.color_before) ?? "";
  const stakes = challengeStakes(view);
  const isUno = view.phase.startsWith("uno-");
  const counts = { "give-half": view.cards_to_give };
  return {
    source, color, ...stakes, matches: matchWords(state), holder: name(view.subject), partner: table.names[table.partner] ?? "",
    n: isUno ? rules.uno_penalty : counts[view.phase] ?? view.pending?.amount ?? 0,
    mine: countCards(view.hand_sizes[seat]), next: name(nextSeat(view, seat)),
    card: cardWords(view.phase === "react" ? view.top_card : view.drawn_card ?? view.top_card),
    sum: view.phase === "react" ? sumText(view) : "",
    lost: rules.penalty_ends_turn === false ? "" : texts().lost,
    why: fill((color && texts().bluffs[rules.plus4_legality]) || texts().bluffs.nothing_else, { source, color }),
    answer: answerWords(state, name),
  };
}

/**
 * What is asked, and what follows.
 * @returns [what to decide, what follows]; of somebody else's decision only the first
 */
export function promptWords(state, table) {
  const { view } = state;
  if (!state.legal.length) {
    if (view.actor === null || view.actor === undefined) return ["", ""];
    return [taskWords(view, table) || fill(texts().waitsFor, { who: table.names[view.actor] ?? "" }), ""];
  }
  const key = KEYS[view.phase]?.(state) ?? "other";
  const values = places(state, table);
  return texts().prompts[key].map((template) => unbroken(fill(template, values)));
}
