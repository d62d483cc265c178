// Replays as files. Seeds have 64 bits, more than a number of JavaScript holds: here they stay text.
import { h } from "./dom.js";
import { getText, postText } from "./api.js";

/** A replay from its text, which may be a bare record. */
export function readReplay(text) {
  const replay = JSON.parse(text.replace(/("seed"\s*:\s*)(\d+)/g, '$1"$2"'));
  return replay.record ? replay : { record: replay };
}

/** The text of a replay, seeds as numbers again. */
export function writeReplay(replay) {
  return JSON.stringify(replay).replace(/("seed":)"(\d+)"/g, "$1$2");
}

/** The replay of a game that is over at a table. */
export const replayOf = async (table) => readReplay(await getText(`/v1/tables/${table}/replay`));

/** A stretch of a replay as pictures. */
export async function framesOf(record, from, count) {
  return JSON.parse(await postText("/v1/replay", writeReplay({ record, from, count })));
}

/** What shares a replay through the system (phones have that), or null where there is no such thing. */
export function sharer(name) {
  const share = (text) => ({ files: [new File([text], name, { type: "application/json" })] });
  if (!navigator.canShare?.(share(""))) return null;
  return (replay) => navigator.share(share(writeReplay(replay)));
}

/** Offer a replay to the browser's downloads. */
export function saveReplay(name, replay) {
  const address = URL.createObjectURL(new Blob([writeReplay(replay)], { type: "application/json" }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
