import { ServerError } from "./errors.js";
import { Stream } from "./stream.js";
import type {
  ActRequest, ActResponse, BatchAnswer, BotEntry, ErrorBody, Joined, LegalAction, Position, Replay, State,
  TableCreated, TableInfo, TableRequest, VariantsResponse,
} from "./types.js";

export interface ClientOptions {
  /** Sent as `X-API-Key`, if the server asks for one. */
  apiKey?: string;
  /** Milliseconds to wait for a response; 30,000 if left out. */
  timeout?: number;
  /** Closes what is under way; a server stops decisions that nobody waits for. */
  signal?: AbortSignal;
}

/** How a decision is refused where somebody else was first in a reaction window, or time was up. */
const TOO_LATE = ["not_your_decision", "stale_move"];

/** Chooses one of the legal actions; `state.view` holds all the seat may know. */
export type Agent = (state: State, legal: LegalAction[]) => string | Promise<string>;

/** One server. */
export class UnoClient {
  readonly url: string;

  constructor(url: string, private readonly options: ClientOptions = {}) {
    this.url = url.replace(/\/+$/, "");
  }

  /** What a bot does with the view of a seat, or with a position of a game of one's own. */
  act(request: Omit<ActRequest, "position"> & { position?: Position }): Promise<ActResponse> {
    return this.call("POST", "/v1/act", request);
  }

  /** Many decisions at once; an invalid one gets an error as its answer. */
  async actBatch(requests: ActRequest[]): Promise<BatchAnswer[]> {
    return (await this.call<{ answers: BatchAnswer[] }>("POST", "/v1/act/batch", { requests })).answers;
  }

  /** The bots that can decide or take a seat. */
  async bots(): Promise<BotEntry[]> {
    return (await this.call<{ bots: BotEntry[] }>("GET", "/v1/bots")).bots;
  }

  /** All presets and rules. */
  variants(): Promise<VariantsResponse> {
    return this.call("GET", "/v1/variants");
  }

  /**
   * Set up a table; the response holds the tokens of all its people.
   *
   * @param key a random text: the same request with the same key gets the same table
   */
  createTable(request: TableRequest, key?: string): Promise<TableCreated> {
    return this.call("POST", "/v1/tables", request, key === undefined ? {} : { "Idempotency-Key": key });
  }

  /** Take an open seat. */
  async join(table: string, name?: string, seat?: number): Promise<Seat> {
    const joined = await this.call<Joined>("POST", `/v1/tables/${table}/join`, { name, seat });
    return this.seat(joined.table, joined.token);
  }

  /** A seat whose token is known. */
  seat(table: string, token: string): Seat {
    return new Seat(this, table, token);
  }

  /** Rules, seats and status of a table. */
  table(table: string): Promise<TableInfo> {
    return this.call("GET", `/v1/tables/${table}`);
  }

  /** The record of a game that is over; its seed may be longer than a number can hold. */
  replay(table: string): Promise<Replay> {
    return this.call("GET", `/v1/tables/${table}/replay`);
  }

  /** Close a table; `token` is the host's. */
  async close(table: string, token: string): Promise<void> {
    await this.call("DELETE", `/v1/tables/${table}`, undefined, bearer(token));
  }

  /** The stream of a spectator. */
  watch(table: string): Stream {
    return new Stream(this.url, table);
  }

  /** Any call of the API; throws `ServerError`. */
  async call<Result>(
    method: string, path: string, body?: unknown, headers: Record<string, string> = {},
  ): Promise<Result> {
    const { apiKey, timeout = 30_000, signal } = this.options;
    const limits = [AbortSignal.timeout(timeout), ...(signal ? [signal] : [])];
    const response = await fetch(this.url + path, {
      method,
      headers: { ...(apiKey ? { "X-API-Key": apiKey } : {}), "Content-Type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any(limits),
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text) as Result;
    throw new ServerError(response.status, errorIn(text, response.status), retryAfter(response));
  }
}

/** A seat at a table, and the token that opens it. */
export class Seat {
  constructor(private readonly client: UnoClient, readonly table: string, readonly token: string) {}

  /** What the seat may know now, with the whole view. */
  view(eventsFrom = 0): Promise<State> {
    return this.call("GET", `view?events_from=${eventsFrom}`);
  }

  /** Decide; resolves to the number of the decision once it is stored. */
  async act(action: string | number, move?: number): Promise<number> {
    return (await this.call<{ move: number }>("POST", "act", { action, move })).move;
  }

  /** What a bot advises. */
  advice(bot?: string): Promise<ActResponse> {
    return this.call("POST", "advice", { bot });
  }

  /** Ask for another game. */
  async rematch(): Promise<void> {
    await this.call("POST", "rematch");
  }

  /** Give the seat up for good. */
  async leave(): Promise<void> {
    await this.call("POST", "leave");
  }

  /** The seat's stream. */
  stream(): Stream {
    return new Stream(this.client.url, this.table, this.token);
  }

  /** Have an agent decide until the game is over; resolves to the last state. */
  async play(agent: Agent): Promise<State> {
    const stream = this.stream();
    let last: State | null = null;
    let decided: number | null = null;
    const tooLate = (error: ErrorBody): void => {
      if (!TOO_LATE.includes(error.code)) throw new ServerError(0, error);
      // The seat has not decided, and may be asked again by the same number.
      decided = null;
    };
    for await (const state of stream.states(tooLate)) {
      last = state;
      // The same decision is sent again when somebody else connects or leaves.
      if (state.move === null || state.move === decided) continue;
      decided = state.move;
      stream.act(await agent(state, state.legal), state.move);
    }
    if (last === null) throw new ServerError(1006, { code: "no_answer", message: "the stream is empty" });
    return last;
  }

  private call<Result>(method: string, what: string, body?: unknown): Promise<Result> {
    return this.client.call(method, `/v1/tables/${this.table}/${what}`, body, bearer(this.token));
  }
}

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

function errorIn(text: string, status: number): ErrorBody {
  try {
    return (JSON.parse(text) as { error: ErrorBody }).error;
  } catch {
    return { code: "no_answer", message: `HTTP ${status}` };
  }
}

function retryAfter(response: Response): number | null {
  const header = response.headers.get("Retry-After");
  return header === null ? null : Number(header);
}
