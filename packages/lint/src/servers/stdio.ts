import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import spawn from "cross-spawn";
import { type JsonObject, jsonObjectIn } from "../shared/index.ts";
import { ANSWER_TIME, type Connection, resultOrThrow, ServerError } from "./list-tools.ts";

/** A server that is started as a child process. */
export interface StdioServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface WaitingRequest {
  readonly resolve: (response: JsonObject) => void;
  readonly reject: (error: ServerError) => void;
}

/** How long a server may take to start, in milliseconds. */
const START_TIME = 180_000;
/** How long a server may take to end by itself, in milliseconds. */
const GRACE = 1_000;

/** Starts a server and talks to it in lines of JSON. */
export function connectStdio({ command, args, cwd, env }: StdioServer): Connection {
  const child = spawn(command, [...args], { cwd, env, stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map<unknown, WaitingRequest>();
  let failure: ServerError | undefined;
  let serial = 0;

  function fail(reason: string): void {
    failure ??= new ServerError(reason);
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  }

  const send = (message: object): void => {
    child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };

  function receive(line: string): void {
    // Some servers write their logs there.
    const message = jsonObjectIn(line);
    if (!message) return;
    const { id, method } = message;
    if (typeof method === "string") {
      // A client has to answer; this one offers nothing.
      if (method === "ping") send({ id, result: {} });
      else if (id !== undefined)
        send({ id, error: { code: -32_601, message: "Method not found" } });
      return;
    }
    waiting.get(id)?.resolve(message);
    waiting.delete(id);
  }

  // Written to a process that has ended.
  child.stdin?.on("error", () => undefined);
  child.on("error", ({ message, code }: NodeJS.ErrnoException) => {
    fail(`it cannot be started (${code ?? message})`);
  });
  child.on("exit", (code, signal) => fail(`it ended with ${signal ?? `exit code ${code}`}`));
  if (child.stdout) createInterface({ input: child.stdout }).on("line", receive);

  return {
    async request(method, params) {
      if (failure) throw failure;
      serial += 1;
      const id = serial;
      const response = new Promise<JsonObject>((resolve, reject) =>
        waiting.set(id, { resolve, reject }),
      );
      send({ id, method, params });
      // The first answer may wait for npx to install the server.
      const time = serial === 1 ? START_TIME : ANSWER_TIME;
      const timer = setTimeout(
        () =>
          waiting
            .get(id)
            ?.reject(new ServerError(`it did not answer ${method} in ${time / 1_000} seconds`)),
        time,
      );
      try {
        return resultOrThrow(await response);
      } finally {
        clearTimeout(timer);
        waiting.delete(id);
      }
    },
    async notify(method) {
      send({ method });
    },
    close: async () => endServer(child),
  };
}

async function endServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.stdin?.end();
  const timers = [
    setTimeout(() => child.kill("SIGTERM"), GRACE),
    setTimeout(() => child.kill("SIGKILL"), 2 * GRACE),
  ];
  await ended;
  timers.forEach(clearTimeout);
}
