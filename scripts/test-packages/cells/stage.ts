import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Place } from "../place.ts";
import { changedProgram, writeProgram } from "../program.ts";
import { runProcess } from "../run-process.ts";

const STAGE = resolve(import.meta.dirname, "../../../docs/example-stage/call-budget.ts");

/** The call that each host's model makes twice, though its tool may run once. */
export const BOOK = { from: "LIS", seats: 2 } as const;

/** What the model reads: the tool's own result, then the stage's refusal. */
export const BOOKED_ONCE = [
  "2 seats from LIS",
  `Guardrail failed for tool 'book' (attempt 1/1):

Errors:
• (arguments) (BUD-001): 'book' may run 1 times

Do not call 'book' again for this request: tell the user what is missing, or continue without it.`,
] as const;

/** The options that a program passes to its host. */
export const OPTIONS = "{ guardrails: callBudget({ book: 1 }), logger: () => undefined }";

/** Compiles the stage of the documentation into the project, and a program that uses it; returns the program's path. */
export function writeStaged(source: string, place: Place): string {
  writeProgram(readFileSync(STAGE, "utf8"), "esm", "call-budget", place);
  const before = 'import { callBudget } from "./call-budget.mjs";';
  return writeProgram(changedProgram({ source, replaced: {}, before }), "esm", "staged", place);
}

/** Runs a program with the stage and returns its output. */
export function runStaged(source: string, place: Place): Promise<string> {
  const path = writeStaged(source, place);
  return runProcess({ command: place.node, args: [path], cwd: place.folder });
}
