// Levels: bots as people understand them. The server says which there are.
import { getOnce } from "./api.js";
import { language } from "./language.js";
import { t } from "./ui.js";

let levels = [];

/** Learn the levels before anything is drawn; `getOnce` keeps the answer. */
export async function learnLevels() {
  const bots = await getOnce("/v1/bots");
  levels = bots.levels ?? [];
  return bots;
}

export const allLevels = () => levels;
export const levelOf = (bot) => levels.find((level) => level.bot === bot);
export const titleOf = (level) => level.title[language()] ?? level.title.en;
export const lineOf = (level) => level.line[language()] ?? level.line.en;

/** A bot by its level, or by its own name where it has none; plates have no room for more. */
export const levelWords = (bot) => (levelOf(bot) ? titleOf(levelOf(bot)) : bot);

/** The same in lists of people and bots. */
export function botWords(bot) {
  const level = levelOf(bot);
  return level ? t("botLevel", { level: titleOf(level) }) : bot;
}
