// The rules in force on one page, in words that the server makes from the rules themselves.
import { h } from "./dom.js";
import { post } from "./api.js";
import { cardFace } from "./cards.js";
import { openDialog } from "./dialog.js";
import { toast } from "./dom.js";
import { language } from "./language.js";
import { t } from "./ui.js";

const kept = new Map();

/** What the server says about rules: {title, sections, cards}; asked once for each rule set. */
export function explained(rules, players = null, match = false) {
  const body = { rules, lang: language(), match };
  if (players) body.num_players = players;
  const key = JSON.stringify(body);
  if (!kept.has(key)) {
    const answer = post("/v1/rules", body).then((found) => found.page);
    kept.set(key, answer);
    answer.catch(() => kept.delete(key));
  }
  return kept.get(key);
}

/** A round "?" that opens the rules; `about` tells which: {rules, players, match}. */
export function rulesButton(about, label = t("rulesOpen"), attributes = {}) {
  return h("button", {
    type: "button", class: "help", "aria-label": label, title: label, ...attributes,
    onclick: (event) => { event.preventDefault(); openRules(about()); },
  }, "?");
}

export async function openRules({ rules, players, match }) {
  try {
    const page = await explained(rules, players, match);
    openDialog({ title: page.title, className: "rules-page", content: rulesPage(page, match) });
  } catch (error) {
    toast(t("rulesClash", { why: error.message }), "problem");
  }
}

/** The page itself. */
export function rulesPage(page, match) {
  const hasHouse = page.sections.some((section) => section.lines.some((line) => line.house));
  return h("div", { class: "rules-text" },
    hasHouse && h("p", { class: "hint" }, h("span", { class: "house-mark", "aria-hidden": "true" }, "★"), ` ${t("houseMarked")}`),
    page.sections.map((section) => h("section", { "data-section": section.name },
      h("h3", {}, section.title),
      section.lines.length ? h("ul", {}, section.lines.map(ruleLine)) : null,
      section.name === "cards" ? cardTable(page.cards, match) : null)));
}

function ruleLine({ text, house }) {
  if (!house) return h("li", {}, text);
  return h("li", { class: "house-rule" }, h("span", { class: "house-mark", role: "img", "aria-label": t("houseRule") }, "★"), ` ${text}`);
}

/** Numbers that do nothing share a row. */
function cardTable(cards, match) {
  const plain = cards.filter((card) => /^\d$/.test(card.kind));
  const common = plain.filter((card) => card.text === commonText(plain));
  const rows = cards.filter((card) => !common.includes(card)).map((card) => cardRow(card, card.name, match));
  if (common.length) {
    const names = common.map((card) => card.kind);
    const isRun = Number(names.at(-1)) - Number(names[0]) === names.length - 1;
    rows.unshift(cardRow(common[0], isRun ? `${names[0]}–${names.at(-1)}` : names.join(", "), false));
  }
  return h("ul", { class: "card-table" }, rows);
}

const commonText = (cards) => {
  const counts = new Map();
  for (const { text } of cards) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
};

function cardRow(card, name, match) {
  return h("li", { "data-kind": card.kind }, cardFace(card.face),
    h("div", {}, h("strong", {}, name[0].toUpperCase() + name.slice(1)),
      match && card.points !== null && h("small", {}, ` · ${t("points", { n: card.points })}`),
      h("span", {}, card.text)));
}
