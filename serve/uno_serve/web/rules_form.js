// House rules: ten favourites as switches; every other rule behind "all rules", with a search.
import { h, fillWith } from "./dom.js";
import { language } from "./language.js";
import { t, switchWords, groupWords, valueWords } from "./ui.js";
import { cardWords } from "./words.js";

const LEFT_OUT = new Set(["variant", "min_players", "max_players"]);
const TYPES = new Set(["flag", "number", "choice", "deck"]);

/** The switches of /v1/variants as a form that knows only what was changed. */
export class RulesForm {
  constructor(catalogue, onchange) {
    this.catalogue = catalogue;
    this.onchange = onchange;
    this.changes = {};
    this.element = h("div", { class: "rules-form" });
    this.search = h("input", { id: "rule-search", type: "search", placeholder: t("ruleSearch"), "aria-label": t("ruleSearch"), oninput: () => this.find() });
    this.nothing = h("p", { class: "hint", role: "status" });
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
      // A newer server may have kinds of rules that this form does not know.
      if (LEFT_OUT.has(rule.name) || !TYPES.has(rule.type) || (rule.type === "choice" && !rule.values?.length)) continue;
      if (!groups.has(rule.group)) groups.set(rule.group, []);
      groups.get(rule.group).push(rule);
    }
    const parts = [...groups].map(([group, rules]) =>
      h("details", { class: "rule-group" },
        h("summary", {}, groupWords(group, this.catalogue.group_titles), h("span", { class: "mark", "data-group": group })),
        rules.map((rule) => this.row(rule))));
    this.search.value = "";
    this.nothing.textContent = "";
    fillWith(this.element,
      h("p", { class: "hint" }, t("houseRulesHint")),
      h("div", { class: "favourites" }, (this.catalogue.favourites ?? []).map((favourite) => this.favourite(favourite))),
      h("details", { class: "all-rules" }, h("summary", {}, t("allRules")), this.search, this.nothing, parts),
      h("button", { class: "quiet", type: "button", onclick: () => { this.start(this.variant); this.onchange(); } }, t("reset")));
    this.mark();
  }

  // The favourites.

  /** Whether a favourite is on: anything but the value that turns it off. */
  isOn(favourite) {
    return this.value(favourite.name) !== favourite.off;
  }

  favourite(favourite) {
    const id = `favourite-${favourite.name}`;
    const words = (texts) => texts[language()] ?? texts.en;
    const refused = this.variant.unavailable?.includes(favourite.name);
    const set = (event) => {
      const preset = this.variant.rules[favourite.name];
      // Back on as this variant has it, where it has it.
      const on = preset === favourite.off ? favourite.on : preset;
      this.set(favourite.name, event.target.checked ? on : favourite.off);
    };
    return h("div", { class: "favourite", "data-favourite": favourite.name },
      h("input", { id, type: "checkbox", role: "switch", class: "switch", checked: this.isOn(favourite), disabled: refused, "aria-describedby": `${id}-line`, onchange: set }),
      h("div", {}, h("label", { for: id }, words(favourite.title)),
        h("p", { class: "hint", id: `${id}-line` }, refused ? t("notHere") : words(favourite.line))));
  }

  // All rules.

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
      return h("input", { id, type: "checkbox", role: "switch", class: "switch", checked: now, onchange: (event) => set(event.target.checked) });
    }
    if (rule.type === "choice") {
      return h("select", { id, onchange: (event) => set(rule.values[event.target.selectedIndex]) },
        rule.values.map((value, index) => h("option", { selected: value === now }, valueWords(rule, index))));
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
          id, type: "number", min: 0, max: Math.max(20, counts[card]), value: this.changes.deck?.[card] ?? counts[card],
          onchange: (event) => this.setCount(card, Number(event.target.value)),
        }));
    });
    return h("div", { class: "rule deck", "data-rule": rule.name }, h("p", {}, switchWords(rule)), h("div", { class: "deck-counts" }, cards));
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

  /** Only rules whose words hold every word that was typed. */
  find() {
    const wanted = plain(this.search.value).split(/\s+/).filter(Boolean);
    let found = 0;
    for (const group of this.element.querySelectorAll(".rule-group")) {
      let here = 0;
      for (const row of group.querySelectorAll("[data-rule]")) {
        const text = plain(`${row.textContent} ${group.querySelector("summary").firstChild.textContent}`);
        row.hidden = !wanted.every((word) => text.includes(word));
        here += row.hidden ? 0 : 1;
      }
      group.hidden = here === 0;
      group.open = wanted.length > 0 && here > 0;
      found += here;
    }
    this.nothing.textContent = wanted.length ? (found === 1 ? t("foundOne") : t("foundN", { n: found })) : "";
  }

  /** Show which switches differ from the variant, in both places where some stand. */
  mark() {
    const counts = {};
    for (const rule of this.catalogue.switches) {
      if (rule.name in this.changes) counts[rule.group] = (counts[rule.group] ?? 0) + 1;
      this.sync(rule);
    }
    for (const row of this.element.querySelectorAll("[data-rule], [data-favourite]")) {
      row.classList.toggle("changed", (row.dataset.rule ?? row.dataset.favourite) in this.changes);
    }
    for (const mark of this.element.querySelectorAll("[data-group]")) {
      const count = counts[mark.dataset.group];
      mark.textContent = count ? `${count} ${t("changed")}` : "";
    }
  }

  /** A favourite and its row among all rules show the same. */
  sync(rule) {
    const find = (id) => this.element.querySelector(`#${id}`);
    const row = find(`rule-${rule.name}`);
    const now = this.value(rule.name);
    if (row && rule.type === "flag") row.checked = now;
    else if (row && rule.type === "choice") row.selectedIndex = rule.values.indexOf(now);
    else if (row && Number(row.value) !== now && document.activeElement !== row) row.value = now;
    const favourite = (this.catalogue.favourites ?? []).find((each) => each.name === rule.name);
    if (favourite) find(`favourite-${rule.name}`).checked = this.isOn(favourite);
  }
}

/** Without case and accents, so that "echange" finds "échange". */
const plain = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
