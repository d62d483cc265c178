import { ServerError } from "./errors.js";
import type { ErrorBody, ServerMessage, State } from "./types.js";

function raise(error: ErrorBody): never {
  throw new ServerError(0, error);
}

/** The stream of a table: states as they come, and moves. Needs a global `WebSocket` (browsers, Node 22). */
export class Stream {
  private readonly socket: WebSocket;
  private readonly waiting: ServerMessage[] = [];
  private wake: (() => void) | null = null;
  private end: ServerError | null | undefined;

  /** @param eventsFrom how many events are known from before, when reconnecting */
  constructor(url: string, table: string, token?: string, eventsFrom = 0) {
    this.socket = new WebSocket(`${url.replace(/^http/, "ws")}/v1/tables/${table}/stream`);
    this.socket.onopen = () => this.send({ type: "hello", token, events_from: eventsFrom });
    this.socket.onmessage = ({ data }) => this.receive(JSON.parse(String(data)) as ServerMessage);
    this.socket.onclose = ({ code, reason }) => this.finish(code, reason);
  }

  /** Every message, until the stream ends; throws `ServerError` if it was cut. */
  async *messages(): AsyncGenerator<ServerMessage> {
    for (;;) {
      const next = this.waiting.shift();
      if (next !== undefined) yield next;
      else if (this.end instanceof ServerError) throw this.end;
      else if (this.end === null) return;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  /**
   * States up to and including the one in which the game is over.
   * @param onError what to do about an error; throws it if left out
   */
  async *states(onError: (error: ErrorBody) => void = raise): AsyncGenerator<State> {
    try {
      for await (const message of this.messages()) {
        if (message.type === "error") onError(message.error);
        if (message.type !== "state") continue;
        yield message;
        if (message.status === "over" || message.status === "closed") return;
      }
    } finally {
      this.close();
    }
  }

  /** Decide; the server answers with `accepted`, in a reaction window at its end. */
  act(action: string | number, move: number): void {
    this.send({ type: "act", action, move });
  }

  /** Ask a bot for advice, which comes as a message. */
  advice(bot?: string): void {
    this.send({ type: "advice", bot });
  }

  close(): void {
    if (this.end === undefined) this.end = null;
    this.socket.close();
    this.wake?.();
  }

  private send(message: Record<string, unknown>): void {
    this.socket.send(JSON.stringify(message));
  }

  private receive(message: ServerMessage): void {
    this.waiting.push(message);
    this.wake?.();
  }

  private finish(code: number, reason: string): void {
    const isPlain = code === 1000;
    if (this.end === undefined) {
      const error = { code: reason || "gone", message: "the stream was cut" };
      this.end = isPlain ? null : new ServerError(code, error);
    }
    this.wake?.();
  }
}
