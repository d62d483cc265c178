import type { ErrorBody } from "./types.js";

/** The server refused or failed; `code` is what programs go by. */
export class ServerError extends Error {
  readonly code: string;
  readonly details: Record<string, unknown>;

  /**
   * @param status HTTP status, or the closing code of a stream
   * @param error what the server said
   * @param retryAfter seconds after which another try may succeed
   */
  constructor(readonly status: number, error: ErrorBody, readonly retryAfter: number | null = null) {
    super(`${error.code}: ${error.message}`);
    this.name = "ServerError";
    this.code = error.code;
    this.details = error.details ?? {};
  }
}
