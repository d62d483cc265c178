// A front end in TypeScript: one seat at a hosted table, played through the typed client.
//
//   uno-serve --bots mine=examples/own_bot.py:ColorBot     # the server
//   (cd serve/client-ts && npm ci && npm run build)        # the client, once
//   npm install ./serve/client-ts                          # in the project of your front end
//
// Browsers and Node 22 have WebSocket; Node 20 needs --experimental-websocket.
import { UnoClient } from "uno-serve-client";

const url = process.argv[2] ?? process.env.UNO_URL ?? "http://127.0.0.1:8000";
const bot = process.argv[3] ?? "heuristic";
const client = new UnoClient(url);

const { table, seats } = await client.createTable({
  variant: "classic",
  seats: [{ kind: "human", name: "Ana" }, { kind: "bot", bot }],
  bot_delay: 0,
});
const seat = client.seat(table, seats[0]!.token!);

// `play` follows the stream of states and asks this function whenever the seat has to decide.
const last = await seat.play((state, legal) => {
  const plays = legal.filter((option) => option.action.startsWith("play"));
  return (plays[0] ?? legal[0]!).action;
});
console.log("winners", last.view?.winners);
