// Plain words in the chosen language: cards, decisions, events.
import * as cardsEn from "./texts/cards_en.js";
import * as cardsFr from "./texts/cards_fr.js";
import * as eventsEn from "./texts/events_en.js";
import * as eventsFr from "./texts/events_fr.js";
import { language } from "./language.js";

const CARDS = { en: cardsEn, fr: cardsFr };
const EVENTS = { en: eventsEn, fr: eventsFr };

export const cardWords = (name) => CARDS[language()].card(name);
export const colorWords = (color) => CARDS[language()].colors[color];

/** Put values into {places} of a template. */
export function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
}

function joined(parts) {
  const { and } = EVENTS[language()];
  if (parts.length < 2) return parts.join("");
  return parts.slice(0, -1).join(", ") + and + parts.at(-1);
}

/** The name of a seat inside a sentence. */
function inside(seat, table) {
  const words = EVENTS[language()];
  if (seat === table.me) return words.you;
  const name = table.names[seat] ?? words.nobody;
  return seat !== undefined && seat === table.partner ? `${name} (${words.partner})` : name;
}

/**
 * What the seat to act has to decide.
 * @param view a seat's view
 * @param table {me, names}: the reader's seat (null for a spectator) and everybody's names
 */
export function taskWords(view, table) {
  const templates = CARDS[language()].tasks[view.phase];
  if (!templates || view.actor === null) return "";
  const mine = view.actor === table.me;
  if (mine && view.phase === "play" && !view.legal?.includes("draw")) return CARDS[language()].playOnly;
  return fill(templates[mine ? 0 : 1], {
    who: table.names[view.actor],
    holder: inside(view.subject, table),
  });
}

/** A legal action as a label for a button. */
export function actionWords(action, actor, view, table) {
  const [verb, ...rest] = action.split(" ");
  const { actions, targets } = CARDS[language()];
  const template = (verb === "target" && targets[view.phase]) || (actions[verb] ?? action);
  const size = view.num_players;
  const seats = rest.filter((part) => part.startsWith("+")).map((step) => (actor + Number(step)) % size);
  return fill(template, {
    card: rest.length ? cardWords(rest[0]) : "",
    color: colorWords(rest[0]),
    seats: joined(seats.map((seat) => inside(seat, table))),
    amount: EVENTS[language()].counted(view.pending?.amount ?? 0),
  });
}

/** Which template tells an event: some types have several. */
function eventKind(event) {
  switch (event.type) {
    case "hand": return event.cards ? "hand" : "hand-hidden";
    case "challenge": return event.bluff ? "challenge-bluff" : "challenge-honest";
    case "uno-call": return event.seat === event.holder ? "uno-call" : "uno-call-for";
    case "reverse": return `reverse-${event.direction}`;
    case "round-end": return event.winners.length ? "round-end" : "round-void";
    case "match-end": return event.winners.length ? "match-end" : "match-void";
    default: return event.type;
  }
}

/** The cards of an event: by name where they are known, else their number. */
function cardsOf(event, words) {
  if (event.cards?.length) return joined(event.cards.map(cardWords));
  return event.cards ? words.noCards : words.counted(event.count ?? 1);
}

/** Why it happened, in brackets; empty where nothing is to be said. */
function reasonWords(reason, table) {
  const template = EVENTS[language()].reasons[reason?.why];
  if (!template) return "";
  const values = { by: inside(reason.by, table), card: reason.card && cardWords(reason.card), color: colorWords(reason.color) };
  return ` (${fill(template, values)})`;
}

/** A word or two for the plate of a player; `by` is a seat. */
export const bubbleWords = (kind, { by, ...values } = {}, table) =>
  fill(EVENTS[language()].bubbles[kind], { ...values, by: inside(by, table) });

/** What happened and why, as one sentence. */
export function eventWords(event, table) {
  const sentence = plainWords(event, table);
  const reason = reasonWords(event.reason, table);
  return reason ? sentence.replace(/ ?([.!])$/, `${reason}$1`) : sentence;
}

function plainWords(event, table) {
  const words = EVENTS[language()];
  const templates = words.events[eventKind(event)];
  if (!templates) return event.sentence ?? event.type;
  const winners = event.winners ?? [];
  const own = event.seat === table.me || (winners.length === 1 && winners[0] === table.me);
  const cards = cardsOf(event, words);
  return fill(templates[own && table.me !== null ? 0 : 1], {
    who: table.names[event.seat],
    cards,
    drawn: cards,
    color: colorWords(event.color),
    amount: words.counted(event.amount ?? 0),
    count: words.counted(event.count ?? 0),
    points: words.pointed(event.points ?? 0),
    worth: event.points ? ` (${words.pointed(event.points)})` : "",
    round: (event.round ?? 0) + 1,
    other: inside(event.other, table),
    to: inside(event.to, table),
    holder: inside(event.holder, table),
    partner: table.names[event.partner],
    winners: joined(winners.map((seat) => (seat === table.me ? words.you : table.names[seat]))),
  });
}
