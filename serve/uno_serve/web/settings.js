// What this browser remembers: the player's name, looks, and the seats it holds.
const read = (key, fallback) => {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? fallback;
  } catch {
    return fallback;
  }
};
const write = (key, value) => localStorage.setItem(key, JSON.stringify(value));

/** Names for people who gave none yet; understood in both languages. */
const NAMES = ["Koala", "Panda", "Lynx", "Puma", "Gecko", "Okapi", "Bison", "Tapir", "Quokka", "Kiwi", "Mango", "Papaya", "Litchi", "Cactus", "Zephyr", "Pixel"];

const DEFAULTS = { name: "", theme: "auto", animations: true, coach: false, coachBot: null, pace: 2, muted: false, variant: "classic", level: null };

/** Seconds a bot waits, by the steps of a slider. */
export const PACES = [0, 0.3, 0.8, 1.5, 3];

export const settings = { ...DEFAULTS, ...read("uno-settings", {}) };

if (!settings.name.trim()) settings.name = NAMES[Math.floor(Math.random() * NAMES.length)];

/** Change settings, remember them and apply the looks. */
export function change(changes) {
  Object.assign(settings, changes);
  write("uno-settings", settings);
  applyLooks();
}

export function applyLooks() {
  document.documentElement.dataset.theme = settings.theme;
  document.documentElement.dataset.animations = String(animated());
}

/** Whether things may move: the player's wish, and never against the system's. */
export function animated() {
  return settings.animations && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** The seat this browser holds at a table: {seat, token, host} or null. A tab's own seat goes first. */
export function seatAt(table) {
  const key = `uno-seat-${table}`;
  try {
    return JSON.parse(sessionStorage.getItem(key)) ?? read(key, null);
  } catch {
    return read(key, null);
  }
}

export function keepSeat(table, seat) {
  const key = `uno-seat-${table}`;
  sessionStorage.setItem(key, JSON.stringify(seat));
  write(key, seat);
}

/** Tables at which this browser holds a seat. */
export function seatedAt() {
  const prefix = "uno-seat-";
  return Object.keys(localStorage).filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
}

export function forgetSeat(table) {
  sessionStorage.removeItem(`uno-seat-${table}`);
  localStorage.removeItem(`uno-seat-${table}`);
}
