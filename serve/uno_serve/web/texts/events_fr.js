// Ce qui s'est passé, en français : la forme pour sa propre place et celle pour les autres.
const cards = (n) => (n === 1 ? "1 carte" : `${n} cartes`);
const points = (n) => (Math.abs(n) < 2 ? `${n} point` : `${n} points`);

export const counted = cards;
export const pointed = points;
export const and = " et ";
export const partner = "partenaire";
export const you = "vous";
export const nobody = "un joueur";
export const noCards = "aucune carte";

/** Modèles par type d'événement : [sa propre place, une autre place]. */
export const events = {
  "hand": ["Vous aviez {cards}{worth}.", "{who} avait {cards}{worth}."],
  "hand-hidden": ["Vous avez montré votre main à qui contestait.", "{who} a montré sa main à qui contestait."],
  "deal": ["Vous avez distribué la manche {round}.", "{who} a distribué la manche {round}."],
  "open": ["Première carte retournée : {cards}.", "Première carte retournée : {cards}."],
  "cut": ["Vous avez coupé le paquet.", "{who} a coupé le paquet."],
  "play": ["Vous avez joué {cards}.", "{who} a joué {cards}."],
  "draw": ["Vous avez pioché {drawn}.", "{who} a pioché {drawn}."],
  "keep": ["Vous avez gardé la carte piochée.", "{who} a gardé la carte piochée."],
  "pass": ["Vous avez passé.", "{who} a passé."],
  "take": ["Vous avez pris la pénalité de {amount}.", "{who} a pris la pénalité de {amount}."],
  "color": ["Vous avez choisi {color}.", "{who} a choisi {color}."],
  "accept": ["Vous avez accepté {amount}.", "{who} a accepté {amount}."],
  "challenge-bluff": ["Vous avez contesté le joker +4 : c’était un bluff.", "{who} a contesté le joker +4 : c’était un bluff."],
  "challenge-honest": ["Vous avez contesté le joker +4 : ce n’était pas un bluff.", "{who} a contesté le joker +4 : ce n’était pas un bluff."],
  "roulette": ["Vous avez nommé {color} pour la roulette.", "{who} a nommé {color} pour la roulette."],
  "swap": ["Vous avez échangé votre main avec {other}.", "{who} a échangé sa main avec {other}."],
  "no-swap": ["Vous avez laissé les mains en place.", "{who} a laissé les mains en place."],
  "pass-hands": ["Toutes les mains ont avancé d’une place.", "Toutes les mains ont avancé d’une place."],
  "give": ["Vous avez donné {cards} à {to}.", "{who} a donné {cards} à {to}."],
  "uno-call": ["Vous avez annoncé UNO !", "{who} a annoncé UNO !"],
  "uno-call-for": ["Vous avez annoncé UNO pour {holder}.", "{who} a annoncé UNO pour {holder}."],
  "catch": ["Annonce UNO oubliée par {holder}, relevée par vous.", "Annonce UNO oubliée par {holder}, relevée par {who}."],
  "jump-in": ["Vous avez intercepté avec {cards}.", "{who} a intercepté avec {cards}."],
  "sum": ["Vous avez posé toute votre main : {cards}, {points}.", "{who} a posé toute sa main : {cards}, {points}."],
  "discard-all": ["Vous avez défaussé {cards}.", "{who} a défaussé {cards}."],
  "skip": ["Vous avez passé votre tour.", "{who} a passé son tour."],
  "reverse-1": ["Le jeu tourne dans le sens des aiguilles d’une montre.", "Le jeu tourne dans le sens des aiguilles d’une montre."],
  "reverse--1": ["Le jeu tourne dans le sens inverse.", "Le jeu tourne dans le sens inverse."],
  "eliminate": ["Vous avez quitté la manche avec {amount} : sans pitié.", "{who} a quitté la manche avec {amount} : sans pitié."],
  "out": ["Vous n’avez plus de cartes.", "{who} n’a plus de cartes."],
  "back": ["Vous êtes de retour avec {amount}.", "{who} est de retour avec {amount}."],
  "recycle": ["La défausse est devenue une nouvelle pioche de {count}.", "La défausse est devenue une nouvelle pioche de {count}."],
  "team-play-failed": ["{partner} n’avait pas de carte pour suivre le jeu d’équipe.", "{partner} n’avait pas de carte pour suivre le jeu d’équipe."],
  "fault": ["Vous avez tenté un coup illégal, qui coûte {amount}.", "{who} a tenté un coup illégal, qui coûte {amount}."],
  "round-end": ["Vous avez gagné la manche {round}.", "Manche {round} gagnée par {winners}."],
  "round-void": ["La manche {round} s’est terminée sans gagnant.", "La manche {round} s’est terminée sans gagnant."],
  "match-end": ["Vous avez gagné la partie.", "Partie gagnée par {winners}."],
  "match-void": ["La partie s’est terminée sans gagnant.", "La partie s’est terminée sans gagnant."],
  "target": ["Vous avez dirigé la pioche contre {other}.", "{who} a dirigé la pioche contre {other}."],
};

/** Pourquoi quelqu'un a pioché ou perdu son tour, entre parenthèses après la phrase. */
export const reasons = {
  turn: "pioche du tour", card: "{card} par {by}", opening: "première carte : {card}", caught: "pas d’annonce UNO, vu par {by}",
  bluff: "le +4 était un bluff", wrong: "contesté à tort, tour perdu", roulette: "roulette : {color}, tour perdu",
  team: "{by} n’a pas pu suivre", fault: "coup illégal", lost: "tour perdu",
};

/** Un mot ou deux devant un joueur. */
export const bubbles = {
  draw: "+{n}", drawFrom: "+{n} par {by}", skip: "passe son tour", uno: "UNO !", caught: "pris !", bluff: "contesté : bluff !", honest: "contesté : pas de bluff",
  jumpIn: "intercepte !", sum: "somme {n} !", swap: "⇄ {by}", pass: "passe", give: "→ {by}", eliminate: "{n} cartes : dehors !", out: "plus de cartes",
};
