import { createEndServer } from "./end-server.ts";
import { lateError, ServerError } from "./errors.ts";
import { createLineSplitter } from "./framing.ts";
import { type Message, parseMessage } from "./message.ts";
import { type ServerCommand, type ServerEnd, startServer } from "./server-process.ts";
import type { Transport } from "./transport.ts";

/** The longest answer that is read, in bytes. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** The time between the closed input, SIGTERM and SIGKILL, in milliseconds. */
const STEP_MS = 1_000;
const METHOD_NOT_FOUND = { code: -32_601, message: "Method not found" };

/** How a server on stdio is started, and how long it is waited for. */
export interface StdioOptions {
  readonly command: ServerCommand;
  /** Its standard error: ours, or thrown away. */
  readonly errors: "inherit" | "ignore";
  /** How long it may take for an answer, in milliseconds. */
  readonly answerMs: number;
  /** How long it may take for the first one, for which npx may have to install it; `answerMs` by default. */
  readonly startMs?: number;
}

/** Starts a server and talks to it in lines of JSON. */
export function overStdio({ command, errors, answerMs, startMs }: StdioOptions): Transport {
  const server = startServer(command, errors);
  if (server.status === "not started") throw new ServerError(server.reason);
  const { toServer, fromServer, ended } = server;
  const waiting = new Map<unknown, (answer: Message) => void>();
  const splitter = createLineSplitter(MAX_ANSWER_BYTES);
  let count = 0;

  function send(message: Message): void {
    toServer.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  function receive(message: Message): void {
    const { id, method } = message;
    if (method === undefined) return waiting.get(id)?.(message);
    // A client has to answer; this one offers nothing.
    if (method === "ping") send({ id, result: {} });
    else if (id !== undefined) send({ id, error: METHOD_NOT_FOUND });
  }

  fromServer.on("data", (chunk: Buffer) => {
    for (const { bytes } of splitter.push(chunk)) {
      // Some servers write their logs there.
      const message = parseMessage(bytes);
      if (message) receive(message);
    }
  });

  return {
    async request(method, params) {
      count += 1;
      const id = count;
      const late = createDeadline(method, id === 1 ? (startMs ?? answerMs) : answerMs);
      const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
      const gone = ended.then((end): never => {
        throw new ServerError(reasonOf(end, method));
      });
      // Nobody waits for it once the server has answered.
      gone.catch(() => undefined);
      send({ id, method, params });
      return Promise.race([answered, gone, late.passed]).finally(() => {
        late.clear();
        waiting.delete(id);
      });
    },
    notify: async (method) => send({ method }),
    agreed: () => undefined,
    async close() {
      const ending = createEndServer(server, STEP_MS);
      toServer.end();
      ending.afterInput();
      await ended;
      await ending.remains();
    },
  };
}

function reasonOf(end: ServerEnd, method: string): string {
  if (end.status === "not started") return end.reason;
  return `it ended with exit code ${end.code} before it answered ${method}`;
}

/** A promise that rejects after some time, unless it is cleared. */
function createDeadline(
  method: string,
  milliseconds: number,
): { passed: Promise<never>; clear: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(lateError(method, milliseconds)), milliseconds);
  });
  return { passed, clear: () => clearTimeout(timer) };
}
