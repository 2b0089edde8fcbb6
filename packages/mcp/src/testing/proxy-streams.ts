import type { Readable, Writable } from "node:stream";

/** The command of this package, with a test as its client. */
export interface Proxy {
  readonly send: (...messages: readonly (object | string)[]) => void;
  /** Ends the input; what is given is its last line, which has no line feed. */
  readonly endInput: (last?: string) => void;
  /** The first line of the output that fits; rejects if the command ends without one. */
  readonly line: (fits: (line: string) => boolean) => Promise<string>;
  /** The answer to a request. */
  readonly answer: (id: string | number) => Promise<Answer>;
  readonly output: () => Buffer;
  readonly errors: () => string;
  /** The URL for clients, as soon as it listens; rejects if the command ends before. */
  readonly listening: () => Promise<string>;
  /** The exit code, or the signal that killed it. */
  readonly exited: Promise<number | string>;
}

/** A JSON-RPC response as tests look at it. */
export interface Answer {
  readonly id: string | number;
  readonly error?: { readonly message: string };
  readonly result?: {
    readonly isError?: boolean;
    readonly content?: readonly { readonly text: string }[];
    readonly tools?: readonly { readonly name: string }[];
  };
}

/** The standard streams of the command, from outside. */
export interface OuterStreams {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

const LISTENING = /listening on (http:\S+)/;

/** Reads what the command writes, until it has ended. */
export function proxyOn(
  { stdin, stdout, stderr }: OuterStreams,
  ended: Promise<number | string>,
): Proxy {
  const output: Buffer[] = [];
  const lines = createLineWaiter();
  const errorLines = createLineWaiter();
  let errors = "";
  stdout.on("data", (chunk: Buffer) => {
    output.push(chunk);
    lines.add(chunk);
  });
  stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
    errorLines.add(chunk);
  });
  stdin.on("error", () => undefined);
  const exited = ended.then((code) => {
    for (const one of [lines, errorLines]) {
      one.end(`No such line; standard error was: ${errors}`);
    }
    return code;
  });
  return {
    send: (...messages) => {
      for (const message of messages) {
        stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
      }
    },
    endInput: (last = "") => {
      if (!stdin.writableEnded) stdin.end(last);
    },
    line: lines.find,
    answer: async (id) => {
      const start = `"id":${JSON.stringify(id)}`;
      const isAnswer = (line: string): boolean =>
        line.includes(`${start},`) || line.endsWith(`${start}}`);
      return JSON.parse(await lines.find(isAnswer)) as Answer;
    },
    output: () => Buffer.concat(output),
    errors: () => errors,
    listening: async () => {
      const line = await errorLines.find((text) => LISTENING.test(text));
      return LISTENING.exec(line)?.[1] ?? "";
    },
    exited,
  };
}

interface LineWaiter {
  readonly add: (chunk: Buffer) => void;
  readonly find: Proxy["line"];
  readonly end: (reason: string) => void;
}

function createLineWaiter(): LineWaiter {
  const lines: string[] = [];
  /** What has arrived of the line that has not ended. */
  let open: Buffer[] = [];
  const waiting = new Set<(line: string) => void>();
  const failing = new Set<(reason: Error) => void>();
  return {
    add(chunk) {
      const end = chunk.lastIndexOf("\n");
      open.push(end === -1 ? chunk : chunk.subarray(0, end));
      if (end === -1) return;
      const parts = Buffer.concat(open).toString().split("\n");
      open = [chunk.subarray(end + 1)];
      lines.push(...parts);
      for (const line of parts) for (const look of waiting) look(line);
    },
    find: async (fits) =>
      new Promise((resolve, reject) => {
        const look = (line: string): void => {
          if (!fits(line)) return;
          waiting.delete(look);
          resolve(line);
        };
        waiting.add(look);
        failing.add(reject);
        lines.forEach(look);
      }),
    end(reason) {
      for (const reject of failing) reject(new Error(reason));
    },
  };
}
