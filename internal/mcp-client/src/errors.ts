/** A server that could not be reached or did not answer as it should: its message says why, in a few words. */
export class ServerError extends Error {
  override readonly name: string = "ServerError";
}

/** How much of a server's own words a sentence repeats, in UTF-16 units. */
const MAX_WORDS = 200;

/** A request that a server answered with an error. */
export class RequestError extends ServerError {
  override readonly name: string = "RequestError";
  /** What clients show of it. */
  readonly text: string;

  constructor({ code, message }: Readonly<Record<string, unknown>>) {
    super(`it answered with error ${String(code)}: ${String(message).slice(0, MAX_WORDS)}`);
    this.text = `MCP error ${String(code)}: ${String(message)}`;
  }
}

/** The error of a server that took too long. */
export function lateError(method: string, milliseconds: number): ServerError {
  return new ServerError(`it did not answer ${method} within ${milliseconds / 1_000} s`);
}
