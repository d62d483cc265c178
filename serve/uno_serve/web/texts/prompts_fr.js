// Ce qu'on demande au joueur et ce qui suit de chaque réponse, en français : les mêmes clés que texts/prompts_en.js.
export const prompts = {
  playOrDraw: ["Jouez une carte, ou piochez", "{matches}"],
  playOnly: ["Jouez une carte", "{matches}"],
  drawOnly: ["Rien à jouer : piochez une carte", "{matches}"],
  drawUntil: ["Rien à jouer : piochez jusqu’à une carte jouable", "{matches}"],
  passOnly: ["Rien à jouer et rien à piocher : passez", ""],
  playDrawn: ["Vous avez pioché {card} : la jouer ?", "Si vous la gardez, votre tour est fini."],
  playDrawnAny: ["Vous avez pioché {card} : jouer une carte ?", "Sinon, votre tour est fini."],
  playDrawnMust: ["Vous avez pioché {card}", "Elle est jouable : il faut la jouer."],
  stack: ["+{n} contre vous, de {source}", "{answer}Ou prenez {n}{lost}."],
  stackNone: ["+{n} contre vous, de {source}", "Vous n’avez pas de réponse : prenez {n}{lost}."],
  contest: ["+{n} contre vous, de {source}", "{answer}{why}, {bluffer} pour {source}, sinon {challenger} pour vous. Ou prenez {n}."],
  challenge: ["{source} : joker +4 sur du {color}", "{why}, {bluffer} pour {source}, sinon {challenger} pour vous. Accepter : vous piochez {n}{lost}."],
  challengeBlind: ["{source} : joker +4 d’entrée", "{why}, {bluffer} pour {source}, sinon {challenger} pour vous. Accepter : vous piochez {n}{lost}."],
  color: ["Choisissez une couleur", "Les nombres sont vos propres cartes de chaque couleur."],
  colorPenalty: ["Choisissez une couleur", "{next} devra ensuite répondre à +{n}."],
  roulette: ["Roulette : nommez une couleur", "Vous piochez jusqu’à la voir, puis passez votre tour."],
  swapTarget: ["Échanger vos {mine} avec qui ?", "Touchez un joueur : le nombre est la main que vous auriez."],
  swapPair: ["Échanger quelles mains ?", "Touchez deux joueurs ; votre main compte aussi."],
  passCard: ["Passez une carte à {partner}", "{partner} vous en passe une. On les découvre quand tous ont choisi."],
  exchange: ["Donnez une carte à {partner}", "{partner} vous en donne une en retour."],
  giveHalf: ["{partner} n’a plus de cartes : donnez la moitié des vôtres", "Encore {n} de vos {mine}."],
  teamPlay: ["Jeu d’équipe de {source} : posez une carte", "{matches}"],
  unoCall: ["Plus qu’une carte : annoncez UNO !", "Si l’on vous prend sans annonce, vous piochez {n}."],
  unoCallFor: ["{holder} n’a plus qu’une carte : annoncer UNO pour votre partenaire ?", "Sinon {holder} peut se faire prendre et piocher {n}."],
  unoCatch: ["{holder} n’a plus qu’une carte, sans annonce UNO", "Prenez {holder} sur le fait : {n} à piocher."],
  jumpIn: ["Interceptez : vous avez aussi {card}", "Posez-la hors de votre tour ; le jeu repart de vous."],
  sum: ["{sum} : posez toute votre main !", "Vos cartes font la carte du dessus : la manche est à vous."],
  jumpOrSum: ["{sum} : posez tout, ou interceptez", "La somme gagne la manche ; avec {card} seule, le jeu repart de vous."],
  openingColor: ["La première carte est un joker : choisissez la couleur", "Les nombres sont vos propres cartes de chaque couleur."],
  drawTarget: ["Qui doit piocher ?", "Touchez un joueur : le nombre est sa main actuelle."],
  playMore: ["En poser d’autres, identiques ?", "Les cartes relevées peuvent suivre ; passez quand vous avez fini."],
  other: ["À vous de décider", ""],
};

/** Ce qui peut se poser sur la carte du dessus. */
export const matches = {
  kind: "Les cartes relevées vont : {color}, {kind} ou joker.",
  color: "Les cartes relevées vont : {color} ou joker.",
  none: "Vous n’avez ni {color}, ni {kind}, ni joker.",
  noneColor: "Vous n’avez ni {color} ni joker.",
};

export const lost = " et passez votre tour";
export const onTo = " à {who}";
export const cancels = "annule";

/** Quand un joker +4 était un bluff, selon la règle. */
export const bluffs = {
  no_active_color: "Contester : si {source} avait du {color}",
  nothing_else: "Contester : si {source} pouvait jouer autre chose",
};
export const answers = { sends: "Une carte relevée renvoie sa somme{to}. ", cancels: "Un joker relevé l’annule. " };

export const waitsFor = "{who} décide";
