// Interface texts in the chosen language.
import en from "./texts/ui_en.js";
import fr from "./texts/ui_fr.js";
import { language } from "./language.js";
import { fill } from "./words.js";

const TEXTS = { en, fr };

/** The text of a key, with {places} filled in. */
export const t = (key, values = {}) => fill(TEXTS[language()][key] ?? key, values);

export const countCards = (n) => (n === 1 ? t("cardsOne") : t("cards", { n }));

/** The name of a variant as the server gives it in each language. */
export const variantWords = (variant) => variant.titles?.[language()] ?? variant.title;

/** A rule switch in words, which come with the switch. */
export const switchWords = (rule) => rule.label?.[language()] ?? rule.description;

export const groupWords = (group, titles) => titles?.[language()]?.[group] ?? group[0].toUpperCase() + group.slice(1);

export const valueWords = (rule, index) => rule.value_labels?.[language()]?.[index] ?? String(rule.values[index]).replaceAll("_", " ");
