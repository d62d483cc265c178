// The chosen language: remembered, first guessed from the browser.
const KEY = "uno-language";
const LANGUAGES = ["en", "fr"];

let current = guess();

function guess() {
  const kept = localStorage.getItem(KEY);
  if (LANGUAGES.includes(kept)) return kept;
  return (navigator.language ?? "").toLowerCase().startsWith("fr") ? "fr" : "en";
}

export const language = () => current;

/** Choose a language and tell the page, which draws itself anew. */
export function setLanguage(name) {
  if (!LANGUAGES.includes(name)) return;
  current = name;
  localStorage.setItem(KEY, name);
  document.documentElement.lang = name;
  document.dispatchEvent(new CustomEvent("languagechange"));
}
