// Interface texts in the chosen language.
import en from "./texts/ui_en.js";
import fr from "./texts/ui_fr.js";
import * as rulesFr from "./texts/rules_fr.js";
import { language } from "./language.js";
import { fill } from "./words.js";

const TEXTS = { en, fr };

/** The text of a key, with {places} filled in. */
export const t = (key, values = {}) => fill(TEXTS[language()][key] ?? key, values);

export const countCards = (n) => (n === 1 ? t("cardsOne") : t("cards", { n }));

/** A rule switch in words; English comes with the switch itself. */
export const switchWords = (rule) =>
  (language() === "fr" && rulesFr.switches[rule.name]) || rule.description;

export const groupWords = (group) =>
  (language() === "fr" && rulesFr.groups[group]) || group[0].toUpperCase() + group.slice(1);

export const valueWords = (value) =>
  (language() === "fr" && rulesFr.values[value]) || String(value).replaceAll("_", " ");
