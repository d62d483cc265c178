/** Against a real server, whose address is in UNO_URL. */

import assert from "node:assert/strict";
import test from "node:test";

import { ServerError, UnoClient, type State } from "../src/index.js";

const url = process.env["UNO_URL"];
assert.ok(url, "UNO_URL is the address of a server");
const client = new UnoClient(url);
const position = { variant: "classic", hand: ["red-5", "blue-skip", "wild"], top_card: "red-9", hand_sizes: [3, 5, 1] };

test("a bot decides for a position", async () => {
  const answer = await client.act({ bot: "heuristic", position, advice: true });
  const legal = answer.legal?.map((option) => option.action) ?? [];
  assert.ok(legal.includes(answer.action));
  assert.deepEqual(legal, ["play red-5", "play wild"]);
});

test("a batch has an answer or an error for each request", async () => {
  const answers = await client.actBatch([{ bot: "greedy", position }, { bot: "nobody", position }]);
  assert.ok("action" in answers[0]!);
  assert.ok("error" in answers[1]!);
});

test("an error has its code and details", async () => {
  const call = client.act({ bot: "nobody", position });
  await assert.rejects(call, (error: unknown) => {
    assert.ok(error instanceof ServerError);
    assert.equal(error.code, "unknown_bot");
    assert.equal(error.status, 422);
    return Array.isArray(error.details["bots"]);
  });
});

test("bots and variants are listed", async () => {
  assert.ok((await client.bots()).some((bot) => bot.name === "heuristic"));
  assert.ok((await client.variants()).variants.some((variant) => variant.name === "classic"));
});

test("a whole game on a stream, and its replay", async () => {
  const seats = [{ kind: "human" as const, name: "Ana" }, { kind: "bot" as const, bot: "greedy" }];
  const rules = { variant: "classic", hand_size: 3 };
  const made = await client.createTable({ rules, seats, bot_delay: 0 }, crypto.randomUUID());
  const token = made.seats[0]?.token;
  assert.ok(token);
  const watched: State[] = [];
  const watching = (async () => {
    for await (const state of client.watch(made.table).states()) watched.push(state);
  })();
  const last = await client.seat(made.table, token).play((_, legal) => legal[0]!.action);
  assert.equal(last.status, "over");
  await watching;
  assert.equal(watched.at(-1)?.status, "over");
  assert.ok(watched.every((state) => state.legal.length === 0));
  assert.equal((await client.replay(made.table)).names[0], "Ana");
});

test("open seats are joined, moves made by calls", async () => {
  const made = await client.createTable({ seats: [{ kind: "human", open: true }, { kind: "human", open: true }], react_seconds: null });
  const [ana, bo] = [await client.join(made.table, "Ana"), await client.join(made.table, "Bo", 1)];
  assert.equal((await client.table(made.table)).status, "playing");
  const states = [await ana.view(), await bo.view()];
  const turn = states.findIndex((state) => state.move !== null);
  const seat = [ana, bo][turn]!;
  const move = states[turn]!.move!;
  assert.ok((await seat.advice("greedy")).action);
  assert.equal(await seat.act(states[turn]!.legal[0]!.action, move), move);
  await client.close(made.table, made.host_token);
  await assert.rejects(ana.view(), { code: "no_such_table" });
});

test("a stream that is refused says why", async () => {
  const made = await client.createTable({ seats: [{ kind: "bot" }, { kind: "bot" }] });
  const states = client.seat(made.table, "wrong").stream().states();
  await assert.rejects(states.next(), { code: "wrong_token", status: 4403 });
});
