import { visibleJson } from "@toolcontract/core/adapter";
import type { Writable } from "node:stream";
import type { AIAgentResult } from "@toolcontract/session";
import { type Check, checkText } from "./check.ts";
import { reportText } from "./report-text.ts";
import { createSecrets, type Secrets } from "./secrets.ts";
import { terminalText } from "./terminal-text.ts";

const NAME = "toolcontract-agent";

/** A stream that may be a terminal. */
export type Stream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** What a run came to; `check` is there if nothing but the configuration and the servers was checked. */
export interface Result extends AIAgentResult<unknown> {
  readonly check?: Check;
}

/** Where a run writes: the report to stdout, and everything else to stderr. */
export interface Output {
  /** A line on stderr about something that the user may want to change; the same one is written once. */
  readonly warn: (line: string) => void;
  /** What was asked for, the report or the whole result as JSON; false if it is lost. */
  readonly result: (result: Result) => Promise<boolean>;
  /** A line of JSON on stdout for something that has happened, with the format `jsonl`. */
  readonly emit: (event: object) => void;
  readonly isJsonLines: boolean;
  /** Says what is shown, and how a line gets to stderr beside the status. */
  readonly setUp: (options: {
    readonly isQuiet: boolean;
    readonly show: (line: string) => void;
  }) => void;
  /** Text on stdout; false if it is lost. */
  readonly print: (text: string) => Promise<boolean>;
  readonly stderr: Stream;
  /** What must be in nothing that is written. */
  readonly secrets: Secrets;
}

/** Creates the output of one run. */
export function createOutput(
  format: "text" | "json" | "jsonl",
  { stdout, stderr }: { readonly stdout: Stream; readonly stderr: Stream },
): Output {
  const warned = new Set<string>();
  const secrets = createSecrets();
  const fail = async (message: string): Promise<unknown> =>
    write(stderr, `${NAME}: ${terminalText(message)}\n`);

  async function print(text: string): Promise<boolean> {
    const fault = await write(stdout, `${text}\n`);
    if (fault === undefined) return true;
    await fail(`the result cannot be written to stdout (${fault})`);
    return false;
  }

  async function printText({ success, finalReport, error, check }: Result): Promise<boolean> {
    const text = finalReport && (await reportText(finalReport, stdout.isTTY === true));
    const parts = [...(check ? [checkText(check)] : []), ...(text === undefined ? [] : [text])];
    const isWritten = parts.length === 0 || (await print(parts.join("\n")));
    if (error !== undefined) await fail(error);
    else if (!success) await fail(`the run failed (${reasonOf(finalReport?.metadata)})`);
    return isWritten;
  }
  let isQuiet = false;
  let show = (line: string): void => void stderr.write(`${terminalText(line)}\n`);
  return {
    print,
    stderr,
    secrets,
    isJsonLines: format === "jsonl",
    emit(event) {
      if (format === "jsonl") stdout.write(`${visibleJson(secrets.hide(event))}\n`);
    },
    setUp(options) {
      isQuiet = options.isQuiet;
      show = options.show;
    },
    warn(text) {
      const line = secrets.hide(text);
      if (isQuiet || warned.has(line)) return;
      warned.add(line);
      show(`${NAME}: ${line}`);
    },
    async result(given) {
      const result = secrets.hide(given);
      if (format === "json") return print(visibleJson(result, 2));
      return format === "jsonl"
        ? print(visibleJson({ type: "result", ...result }))
        : printText(result);
    },
  };
}

function reasonOf(metadata: Readonly<Record<string, unknown>> | undefined): string {
  return String(metadata?.["reason"]);
}

/** Ends when the text is written, with the code of what went wrong; nothing has if its reader has left, as `head` does. */
async function write(stream: Writable, text: string): Promise<string | undefined> {
  const fault = await new Promise<NodeJS.ErrnoException | null | undefined>((resolve) => {
    stream.write(text, resolve);
  });
  return fault && !READER_LEFT.has(fault.code) ? (fault.code ?? fault.message) : undefined;
}

const READER_LEFT = new Set<unknown>(["EPIPE", "ERR_STREAM_DESTROYED"]);
