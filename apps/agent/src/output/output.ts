import type { Writable } from "node:stream";
import type { AIAgentResult } from "@toolcontract/session";
import { type Check, checkText } from "./check.ts";
import { reportText } from "./report-text.ts";
import { createSecrets, type Secrets } from "./secrets.ts";

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
  /** What was asked for: the report, or the whole result as JSON. */
  readonly result: (result: Result) => Promise<void>;
  /** Text on stdout. */
  readonly print: (text: string) => Promise<void>;
  readonly stderr: Stream;
  /** What must be in nothing that is written. */
  readonly secrets: Secrets;
}

/** Creates the output of one run. */
export function createOutput(
  format: "text" | "json",
  { stdout, stderr }: { readonly stdout: Stream; readonly stderr: Stream },
): Output {
  const warned = new Set<string>();
  const secrets = createSecrets();
  const fail = async (message: string): Promise<void> => write(stderr, `${NAME}: ${message}\n`);
  const print = async (text: string): Promise<void> => write(stdout, `${text}\n`);

  async function printText({ success, finalReport, error, check }: Result): Promise<void> {
    if (check) await print(checkText(check));
    if (finalReport) await print(await reportText(finalReport, stdout.isTTY === true));
    if (error !== undefined) await fail(error);
    else if (!success) await fail(`the run failed (${reasonOf(finalReport?.metadata)})`);
  }
  return {
    print,
    stderr,
    secrets,
    warn(text) {
      const line = secrets.hide(text);
      if (warned.has(line)) return;
      warned.add(line);
      stderr.write(`${NAME}: ${line}\n`);
    },
    async result(given) {
      const result = secrets.hide(given);
      await (format === "json" ? print(JSON.stringify(result, null, 2)) : printText(result));
    },
  };
}

function reasonOf(metadata: Readonly<Record<string, unknown>> | undefined): string {
  return String(metadata?.["reason"]);
}

/** Ends when the text is written, or nobody reads it anymore. */
async function write(stream: Writable, text: string): Promise<void> {
  await new Promise<void>((resolve) => {
    stream.write(text, () => resolve());
  });
}
