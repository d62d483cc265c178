// Cards and decisions as people say them in English.
export const colors = { red: "red", yellow: "yellow", green: "green", blue: "blue" };

const kinds = {
  skip: "skip", reverse: "reverse", draw2: "+2", draw4: "+4", "discard-all": "discard all",
  "skip-all": "skip everyone",
};
const wilds = {
  wild: "wild", "wild-draw4": "wild +4", "wild-hyper-speed": "Hyper Speed", "wild-reverse-draw4": "reverse +4",
  "wild-draw6": "wild +6", "wild-draw10": "wild +10", "wild-roulette": "colour roulette",
  "wild-swap": "UNO card", "wild-team-play": "Team Play", "wild-team-draw2": "Super Team +2",
  "wild-skip": "wild skip", "wild-reverse": "wild reverse", "wild-skip2": "wild skip two", "wild-draw2": "wild +2",
  "wild-target-draw2": "wild targeted +2", "wild-forced-swap": "wild forced swap", "wild-blank": "wild blank",
};

export function card(name) {
  if (wilds[name]) return wilds[name];
  const [color, ...rest] = name.replace("+give", "").split("-");
  const kind = rest.join("-");
  return `${colors[color]} ${kinds[kind] ?? kind}${name.endsWith("+give") ? " with give" : ""}`;
}

export const playOnly = "Play a card";

/** What a seat decides, by phase: [the reader, another seat]. */
export const tasks = {
  "play": ["Play a card or draw", "{who} plays"],
  "play-drawn": ["Play the card you drew, or keep it", "{who} decides about the drawn card"],
  "stack": ["Answer the penalty, or take it", "{who} faces the penalty"],
  "color": ["Choose a colour", "{who} chooses a colour"],
  "challenge": ["Accept the wild +4, or challenge it", "{who} may challenge the wild +4"],
  "roulette-color": ["Name a colour: you draw until it comes", "{who} names a colour for the roulette"],
  "swap-target": ["Choose a player to swap hands with", "{who} chooses whom to swap with"],
  "swap-pair": ["Choose two players whose hands are swapped", "{who} chooses two hands to swap"],
  "pass-card": ["Pass a card to your partner", "{who} passes a card to the partner"],
  "give-half": ["Give half of your hand to your partner", "{who} gives half a hand to the partner"],
  "exchange": ["Give a card to your partner", "{who} gives a card to the partner"],
  "team-play": ["Follow the Team Play with a card", "{who} follows the Team Play"],
  "uno-call": ["One card left: call UNO!", "{who} is down to one card"],
  "uno-catch": ["{holder} has not called UNO: catch?", "{who} watches"],
  "react": ["You may lay a card out of turn", "{who} plays"],
  "opening-color": ["Choose the first colour", "{who} chooses the first colour"],
  "opening-swap": ["Choose two players whose hands are swapped", "{who} chooses two hands to swap"],
  "draw-target": ["Choose the player who draws", "{who} chooses who draws"],
  "play-more": ["Play another card like it, or pass", "{who} plays"],
};

/** What it means to point at a player, by phase. */
export const targets = { "swap-target": "Swap with {seats}", "draw-target": "{seats} draws" };

export const actions = {
  "play": "Play {card}", "give": "Give {card}", "draw": "Draw", "keep": "Keep it", "pass": "Pass",
  "take": "Take {amount}", "accept": "Accept", "challenge": "Challenge", "color": "{color}",
  "target": "Choose {seats}", "swap": "Swap {seats}", "no-swap": "No swap",
  "call-uno": "UNO!", "stay-silent": "Stay silent", "catch": "Catch!", "ignore": "Let it go",
  "jump-in": "Jump in!", "sum": "Lay them all",
};
