import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { inject } from "vitest";

/** The command of this package as a process, with a test as its client. */
export interface ProxyProcess {
  readonly child: ChildProcess;
  readonly send: (...messages: readonly (object | string)[]) => void;
  /** The first line of the output that fits; rejects if the process ends without one. */
  readonly line: (fits: (line: string) => boolean) => Promise<string>;
  /** The answer to a request. */
  readonly answer: (id: string | number) => Promise<Answer>;
  readonly output: () => Buffer;
  readonly errors: () => string;
  /** The URL for clients, as soon as it listens; rejects if the process ends before. */
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

const LISTENING = /listening on (http:\S+)/;
const started = new Set<ChildProcess>();

/** Arguments that run a script as the guarded server. */
export function script(source: string, ...args: readonly string[]): readonly string[] {
  return ["--", process.execPath, "-e", source, ...args];
}

/** The command for a client to start. */
export function proxyCommand(args: readonly string[]): { command: string; args: string[] } {
  return { command: process.execPath, args: [inject("proxy"), ...args] };
}

/** Starts the command; it looks for configuration files only if a folder is given. */
export function startProxy(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd?: string,
): ProxyProcess {
  const command = proxyCommand(args);
  const child = spawn(command.command, command.args, {
    cwd,
    env: {
      ...process.env,
      ...(cwd === undefined && { TOOLCONTRACT_CONFIG: "off" }),
      ...env,
    },
  });
  started.add(child);
  const output: Buffer[] = [];
  const lines = createLineWaiter();
  const errorLines = createLineWaiter();
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output.push(chunk);
    lines.add(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
    errorLines.add(chunk);
  });
  child.stdin.on("error", () => undefined);
  const exited = new Promise<number | string>((resolve) => {
    child.once("close", (code, signal) => {
      started.delete(child);
      for (const one of [lines, errorLines]) {
        one.end(`No such line; standard error was: ${errors}`);
      }
      resolve(code ?? signal ?? "unknown");
    });
  });
  return {
    child,
    send: (...messages) => {
      for (const message of messages) {
        child.stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
      }
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
  readonly find: ProxyProcess["line"];
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

/** Ends what a test left running. */
export async function endProxies(): Promise<void> {
  for (const child of started) {
    child.stdin?.end();
    child.kill("SIGTERM");
    await once(child, "close");
  }
}
