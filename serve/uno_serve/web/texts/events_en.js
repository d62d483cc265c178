// What happened, in English. Each event has the form for the reader's own seat and that for others.
const cards = (n) => (n === 1 ? "1 card" : `${n} cards`);
const points = (n) => (n === 1 ? "1 point" : `${n} points`);

export const counted = cards;
export const pointed = points;
export const and = " and ";
export const partner = "partner";
export const you = "you";
export const nobody = "a player";
export const noCards = "no cards";

/** Templates by event type: [own seat, another seat]. */
export const events = {
  "hand": ["You held {cards}{worth}.", "{who} held {cards}{worth}."],
  "hand-hidden": ["You showed your hand to the challenger.", "{who} showed the hand to the challenger."],
  "deal": ["You dealt round {round}.", "{who} dealt round {round}."],
  "open": ["The first card turned up: {cards}.", "The first card turned up: {cards}."],
  "cut": ["You cut the deck.", "{who} cut the deck."],
  "play": ["You played {cards}.", "{who} played {cards}."],
  "draw": ["You drew {drawn}.", "{who} drew {drawn}."],
  "keep": ["You kept the drawn card.", "{who} kept the drawn card."],
  "pass": ["You passed.", "{who} passed."],
  "take": ["You took the penalty of {amount}.", "{who} took the penalty of {amount}."],
  "color": ["You chose {color}.", "{who} chose {color}."],
  "accept": ["You accepted {amount}.", "{who} accepted {amount}."],
  "challenge-bluff": ["You challenged the wild +4: it was a bluff.", "{who} challenged the wild +4: it was a bluff."],
  "challenge-honest": ["You challenged the wild +4: it was no bluff.", "{who} challenged the wild +4: it was no bluff."],
  "roulette": ["You named {color} for the roulette.", "{who} named {color} for the roulette."],
  "swap": ["You and {other} swapped hands.", "{who} and {other} swapped hands."],
  "no-swap": ["You left all hands where they were.", "{who} left all hands where they were."],
  "pass-hands": ["Every hand moved one seat on.", "Every hand moved one seat on."],
  "give": ["You gave {cards} to {to}.", "{who} gave {cards} to {to}."],
  "uno-call": ["You called UNO!", "{who} called UNO!"],
  "uno-call-for": ["You called UNO for {holder}.", "{who} called UNO for {holder}."],
  "catch": ["You caught {holder} without an UNO call.", "{who} caught {holder} without an UNO call."],
  "jump-in": ["You jumped in with {cards}.", "{who} jumped in with {cards}."],
  "sum": ["You laid your whole hand at once: {cards}, {points}.", "{who} laid the whole hand at once: {cards}, {points}."],
  "discard-all": ["You threw off {cards}.", "{who} threw off {cards}."],
  "skip": ["You lost a turn.", "{who} lost a turn."],
  "reverse-1": ["Play turned clockwise.", "Play turned clockwise."],
  "reverse--1": ["Play turned anticlockwise.", "Play turned anticlockwise."],
  "eliminate": ["You left the round with {amount}: no mercy.", "{who} left the round with {amount}: no mercy."],
  "out": ["You went out.", "{who} went out."],
  "back": ["You came back with {amount}.", "{who} came back with {amount}."],
  "recycle": ["The discards became a new draw pile of {count}.", "The discards became a new draw pile of {count}."],
  "team-play-failed": ["{partner} had no card to follow the Team Play with.", "{partner} had no card to follow the Team Play with."],
  "fault": ["You tried something illegal, which costs {amount}.", "{who} tried something illegal, which costs {amount}."],
  "round-end": ["You won round {round}.", "{winners} won round {round}."],
  "round-void": ["Round {round} ended without a winner.", "Round {round} ended without a winner."],
  "match-end": ["You won the match.", "{winners} won the match."],
  "match-void": ["The match ended without a winner.", "The match ended without a winner."],
  "target": ["You chose {other} to draw.", "{who} chose {other} to draw."],
};

/** Why somebody drew or lost a turn, in brackets after the sentence. */
export const reasons = {
  turn: "turn draw", card: "{card} from {by}", opening: "opening card {card}", caught: "no UNO call, caught by {by}",
  bluff: "the +4 was a bluff", wrong: "wrong challenge, turn lost", roulette: "roulette on {color}, turn lost",
  team: "{by} could not follow", fault: "illegal move", lost: "turn lost",
};

/** A word or two at the plate of a player. */
export const bubbles = {
  draw: "+{n}", drawFrom: "+{n} from {by}", skip: "skipped", uno: "UNO!", caught: "caught!", bluff: "challenge: bluff!", honest: "challenge: no bluff",
  jumpIn: "jump in!", sum: "sum {n}!", swap: "⇄ {by}", pass: "pass", give: "→ {by}", eliminate: "{n} cards: out!", out: "out",
};
