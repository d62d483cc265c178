// What is asked of the player, and what follows from each answer, in English.
// Each is [what to decide, what follows]; {places} are filled in by prompt_words.js.
export const prompts = {
  playOrDraw: ["Play a card, or draw", "{matches}"],
  playOnly: ["Play a card", "{matches}"],
  drawOnly: ["Nothing to play: draw a card", "{matches}"],
  drawUntil: ["Nothing to play: draw until a card fits", "{matches}"],
  passOnly: ["Nothing to play and nothing to draw: pass", ""],
  playDrawn: ["You drew {card}: play it?", "Keep it and your turn is over."],
  playDrawnAny: ["You drew {card}: play a card?", "Keep it and your turn is over."],
  playDrawnMust: ["You drew {card}", "It can be played, so it must be."],
  stack: ["+{n} against you, from {source}", "{answer}Or take {n}{lost}."],
  stackNone: ["+{n} against you, from {source}", "You have no answer: take {n}{lost}."],
  contest: ["+{n} against you, from {source}", "{answer}{why}, {source} draws {bluffer}, if not you draw {challenger}. Or take {n}."],
  challenge: ["{source} laid a wild +4 on {color}", "{why}, {source} draws {bluffer}, if not you draw {challenger}. Accept: you draw {n}{lost}."],
  challengeBlind: ["{source} laid a wild +4", "{why}, {source} draws {bluffer}, if not you draw {challenger}. Accept: you draw {n}{lost}."],
  color: ["Choose a colour", "The numbers are your own cards of each."],
  colorPenalty: ["Choose a colour", "{next} then faces +{n}."],
  roulette: ["Roulette: name a colour", "You draw until it comes, and lose your turn."],
  swapTarget: ["Swap your {mine} with whom?", "Tap a player: the number is the hand you would get."],
  swapPair: ["Swap which two hands?", "Tap two players; your own hand counts too."],
  passCard: ["Pass a card to {partner}", "{partner} passes you one. Both are seen once everybody has chosen."],
  exchange: ["Give a card to {partner}", "{partner} gives you one in return."],
  giveHalf: ["{partner} is out of cards: give half of yours", "{n} more of your {mine}."],
  teamPlay: ["Team Play by {source}: lay a card at once", "{matches}"],
  unoCall: ["One card left: call UNO!", "Silent and caught, you draw {n}."],
  unoCallFor: ["{holder} is down to one card: call UNO for your partner?", "Otherwise {holder} may be caught and draw {n}."],
  unoCatch: ["{holder} has one card and did not call UNO", "Catch, and {holder} draws {n}."],
  jumpIn: ["Jump in: you hold {card} too", "Lay it out of turn; play goes on from you."],
  sum: ["{sum}: lay your whole hand!", "Your cards add up to the card on top: the round is yours."],
  jumpOrSum: ["{sum}: lay your whole hand, or jump in", "The sum wins the round; with {card} alone play goes on from you."],
  openingColor: ["The first card is a wild: choose the colour", "The numbers are your own cards of each."],
  drawTarget: ["Who has to draw?", "Tap a player: the number is the hand now."],
  playMore: ["Lay more of the same?", "Raised cards may follow; pass when you are done."],
  other: ["Your decision", ""],
};

/** What may be laid on the top card. */
export const matches = {
  kind: "Raised cards fit: {color}, {kind}, or a wild.",
  color: "Raised cards fit: {color}, or a wild.",
  none: "None of your cards is {color}, {kind} or a wild.",
  noneColor: "None of your cards is {color} or a wild.",
};

export const lost = " and lose your turn";
export const onTo = " to {who}";
export const cancels = "cancels";

/** When a wild +4 was a bluff, by rule; the beginning of a sentence on what a challenge does. */
export const bluffs = {
  no_active_color: "Challenge: if {source} held {color}",
  nothing_else: "Challenge: if {source} could have played otherwise",
};
export const answers = { sends: "A raised card sends its sum on{to}. ", cancels: "A raised wild cancels it. " };

export const waitsFor = "{who} decides";
