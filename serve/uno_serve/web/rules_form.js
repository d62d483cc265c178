// House rules: one control for each switch, starting as the chosen variant has it.
import { h, fillWith } from "./dom.js";
import { t, switchWords, groupWords, valueWords } from "./ui.js";
import { cardWords } from "./words.js";

const LEFT_OUT = new Set(["variant", "min_players", "max_players", "points"]);

/** The switches of /v1/variants as a form that knows only what was changed. */
export class RulesForm {
  constructor(catalogue, onchange) {
    this.catalogue = catalogue;
    this.onchange = onchange;
    this.changes = {};
    this.element = h("div", { class: "rules-form" });
  }

  /** Begin again from a variant. */
  start(variant) {
    this.variant = variant;
    this.changes = {};
    this.draw();
  }

  /** What the server is told: the variant and what differs from it. */
  rules() {
    return { variant: this.variant.name, ...this.changes };
  }

  value(name) {
    return this.changes[name] ?? this.variant.rules[name];
  }

  draw() {
    const groups = new Map();
    for (const rule of this.catalogue.switches) {
      if (LEFT_OUT.has(rule.name)) continue;
      if (!groups.has(rule.group)) groups.set(rule.group, []);
      groups.get(rule.group).push(rule);
    }
    const parts = [...groups].map(([group, rules]) =>
      h("details", { class: "rule-group" },
        h("summary", {}, groupWords(group), h("span", { class: "mark", "data-group": group })),
        rules.map((rule) => this.row(rule))));
    fillWith(this.element,
      h("p", { class: "hint" }, t("houseRulesHint")),
      parts,
      h("button", { class: "quiet", type: "button", onclick: () => { this.start(this.variant); this.onchange(); } }, t("reset")));
    this.mark();
  }

  row(rule) {
    if (rule.type === "deck") return this.deckRow(rule);
    const id = `rule-${rule.name}`;
    return h("div", { class: "rule", "data-rule": rule.name },
      h("label", { for: id }, switchWords(rule)), this.control(rule, id));
  }

  control(rule, id) {
    const now = this.value(rule.name);
    const set = (value) => this.set(rule.name, value);
    if (rule.type === "flag") {
      return h("input", { id, type: "checkbox", role: "switch", checked: now, onchange: (event) => set(event.target.checked) });
    }
    if (rule.type === "choice") {
      return h("select", { id, onchange: (event) => set(rule.values[event.target.selectedIndex]) },
        rule.values.map((value) => h("option", { selected: value === now }, valueWords(value))));
    }
    return h("input", {
      id, type: "number", value: now, min: rule.least, max: rule.most, inputmode: "numeric",
      onchange: (event) => { if (event.target.checkValidity() && event.target.value !== "") set(Number(event.target.value)); },
    });
  }

  set(name, value) {
    if (value === this.variant.rules[name]) delete this.changes[name];
    else this.changes[name] = value;
    this.mark();
    this.onchange();
  }

  deckRow(rule) {
    const counts = this.variant.rules.deck ?? {};
    const cards = Object.keys(counts).map((card) => {
      const id = `deck-${card}`;
      return h("div", { class: "deck-count" }, h("label", { for: id }, cardWords(card)),
        h("input", {
          id, type: "number", min: 0, max: 20, value: this.changes.deck?.[card] ?? counts[card],
          onchange: (event) => this.setCount(card, Number(event.target.value)),
        }));
    });
    return h("div", { class: "rule deck", "data-rule": rule.name }, h("p", {}, t("decks")), h("div", { class: "deck-counts" }, cards));
  }

  setCount(card, count) {
    const deck = { ...this.changes.deck };
    if (count === this.variant.rules.deck[card]) delete deck[card];
    else deck[card] = count;
    if (Object.keys(deck).length) this.changes.deck = deck;
    else delete this.changes.deck;
    this.mark();
    this.onchange();
  }

  /** Show which switches differ from the variant. */
  mark() {
    const counts = {};
    for (const rule of this.catalogue.switches) {
      if (rule.name in this.changes) counts[rule.group] = (counts[rule.group] ?? 0) + 1;
    }
    for (const row of this.element.querySelectorAll("[data-rule]")) {
      row.classList.toggle("changed", row.dataset.rule in this.changes);
    }
    for (const mark of this.element.querySelectorAll("[data-group]")) {
      const count = counts[mark.dataset.group];
      mark.textContent = count ? `${count} ${t("changed")}` : "";
    }
  }
}
