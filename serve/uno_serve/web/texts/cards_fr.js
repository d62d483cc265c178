// Les cartes et les décisions comme on les dit en français.
export const colors = { red: "rouge", yellow: "jaune", green: "vert", blue: "bleu" };

const kinds = {
  skip: "passe-tour", reverse: "inversion", draw2: "+2", draw4: "+4", "discard-all": "défausse totale",
  "skip-all": "tous passent",
};
const wilds = {
  wild: "joker", "wild-draw4": "joker +4", "wild-hyper-speed": "Hyper Speed", "wild-reverse-draw4": "inversion +4",
  "wild-draw6": "joker +6", "wild-draw10": "joker +10", "wild-roulette": "roulette des couleurs",
  "wild-swap": "carte UNO", "wild-team-play": "jeu d’équipe", "wild-team-draw2": "super équipe +2",
  "wild-skip": "joker passe-tour", "wild-reverse": "joker inversion", "wild-skip2": "joker double passe-tour",
  "wild-draw2": "joker +2", "wild-target-draw2": "joker +2 ciblé", "wild-forced-swap": "joker échange forcé",
  "wild-blank": "joker vierge",
};

export function card(name) {
  if (wilds[name]) return wilds[name];
  const [color, ...rest] = name.replace("+give", "").split("-");
  const kind = rest.join("-");
  return `${kinds[kind] ?? kind} ${colors[color]}${name.endsWith("+give") ? " avec don" : ""}`;
}

export const playOnly = "Jouez une carte";

/** Ce qu'une place décide, par phase : [le lecteur, une autre place]. */
export const tasks = {
  "play": ["Jouez une carte ou piochez", "{who} joue"],
  "play-drawn": ["Jouez la carte piochée, ou gardez-la", "{who} décide de la carte piochée"],
  "stack": ["Répondez à la pénalité, ou prenez-la", "{who} fait face à la pénalité"],
  "color": ["Choisissez une couleur", "{who} choisit une couleur"],
  "challenge": ["Acceptez le joker +4, ou contestez", "{who} peut contester le joker +4"],
  "roulette-color": ["Nommez une couleur : vous piochez jusqu’à elle", "{who} nomme une couleur pour la roulette"],
  "swap-target": ["Choisissez avec qui échanger votre main", "{who} choisit avec qui échanger"],
  "swap-pair": ["Choisissez deux joueurs dont les mains s’échangent", "{who} choisit deux mains à échanger"],
  "pass-card": ["Passez une carte à votre partenaire", "{who} passe une carte à son partenaire"],
  "give-half": ["Donnez la moitié de votre main à votre partenaire", "{who} donne la moitié de sa main"],
  "exchange": ["Donnez une carte à votre partenaire", "{who} donne une carte à son partenaire"],
  "team-play": ["Suivez le jeu d’équipe avec une carte", "{who} suit le jeu d’équipe"],
  "uno-call": ["Plus qu’une carte : annoncez UNO !", "{who} n’a plus qu’une carte"],
  "uno-catch": ["{holder} n’a pas annoncé UNO : le prendre ?", "{who} observe"],
  "react": ["Vous pouvez poser une carte hors de votre tour", "{who} joue"],
  "opening-color": ["Choisissez la première couleur", "{who} choisit la première couleur"],
  "opening-swap": ["Choisissez deux joueurs dont les mains s’échangent", "{who} choisit deux mains à échanger"],
  "draw-target": ["Choisissez qui pioche", "{who} choisit qui pioche"],
  "play-more": ["Jouez encore une carte semblable, ou passez", "{who} joue"],
};

/** What it means to point at a player, by phase. */
export const targets = { "swap-target": "Échanger avec {seats}", "draw-target": "{seats} pioche" };

export const actions = {
  "play": "Jouer {card}", "give": "Donner {card}", "draw": "Piocher", "keep": "Garder", "pass": "Passer",
  "take": "Prendre {amount}", "accept": "Accepter", "challenge": "Contester", "color": "{color}",
  "target": "Choisir {seats}", "swap": "Échanger {seats}", "no-swap": "Ne rien échanger",
  "call-uno": "UNO !", "stay-silent": "Se taire", "catch": "Pris !", "ignore": "Laisser passer",
  "jump-in": "Intercepter !", "sum": "Tout poser",
};
