// Where it begins: the bar at the top, and one screen for each address after the #.
import { h, fillWith } from "./dom.js";
import { language, setLanguage } from "./language.js";
import { settings, change, applyLooks } from "./settings.js";
import { t } from "./ui.js";
import { showLobby } from "./lobby.js";
import { showTable } from "./table.js";
import { showReplay } from "./replay.js";

const screen = document.getElementById("screen");
let leave = null;

/** #/ the lobby, #/table/ID a table, #/replay replays. */
function route() {
  leave?.();
  leave = null;
  const [, place, id] = location.hash.split("/");
  document.body.dataset.screen = place || "lobby";
  window.scrollTo(0, 0);
  if (place === "table" && id) leave = showTable(screen, decodeURIComponent(id));
  else if (place === "replay") leave = showReplay(screen, id ? decodeURIComponent(id) : null);
  else leave = showLobby(screen);
}

function showBar() {
  const languages = [["en", "English"], ["fr", "Français"]].map(([code, name]) =>
    h("button", {
      class: "quiet", lang: code, "aria-pressed": String(language() === code), "data-language": code,
      onclick: () => setLanguage(code),
    }, name));
  const themes = ["auto", "light", "dark"].map((name) =>
    h("option", { value: name, selected: settings.theme === name }, t(`theme${name[0].toUpperCase()}${name.slice(1)}`)));
  fillWith(document.getElementById("top"),
    h("a", { class: "brand", href: "#/" }, h("img", { src: "icon.svg", alt: "", width: "28", height: "28" }), "uno_env"),
    h("nav", { "aria-label": t("title") },
      h("a", { href: "#/" }, t("newGame")),
      h("a", { href: "#/replay" }, t("replays"))),
    h("div", { id: "tools" }),
    h("div", { class: "looks" },
      h("div", { class: "languages", role: "group", "aria-label": t("language") }, languages),
      h("label", { class: "compact" }, h("span", { class: "unseen" }, t("theme")),
        h("select", { onchange: (event) => change({ theme: event.target.value }) }, themes)),
      h("label", { class: "check" },
        h("input", { type: "checkbox", checked: settings.animations, onchange: (event) => change({ animations: event.target.checked }) }),
        h("span", {}, t("animations")))));
}

document.addEventListener("languagechange", () => {
  showBar();
  route();
});
window.addEventListener("hashchange", route);
document.documentElement.lang = language();
applyLooks();
showBar();
route();
