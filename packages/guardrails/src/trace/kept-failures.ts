import type { AttemptFailure } from "../shared/index.ts";
import type { Records } from "./records.ts";
import { type RunOfTool, runKey } from "./run-of-tool.ts";

/** So many failed attempts are kept of a tool in a run; then the oldest go. */
export const MAX_FAILURES = 100;

/** Failed attempts of tools in runs, beyond this process. */
export interface KeptFailures {
  /** Those of a sequence that is still under way. */
  underWay(run: RunOfTool): Promise<readonly AttemptFailure[]>;
  /** Those of the whole run, also of sequences that are over. */
  all(run: RunOfTool): Promise<readonly AttemptFailure[]>;
  /** Adds a failure. `ofSequence` is the number of failures in its sequence, this one included; 0 ends the sequence. */
  note(run: RunOfTool, failure: AttemptFailure | undefined, ofSequence: number): void;
  /** Resolves once everything noted was written, or could not be. */
  written(): Promise<unknown>;
}

/** Keeps failed attempts in records, written in the order in which they happened. */
export function keepFailures(records: Records): KeptFailures {
  let writing: Promise<unknown> = Promise.resolve();

  async function read(run: RunOfTool): Promise<{
    readonly failures: readonly AttemptFailure[];
    readonly underWay: number;
  }> {
    await writing;
    const piece = await records.read(pieceOf(run));
    const failures = failuresIn(piece);
    return { failures, underWay: Math.min(failures.length, Number(piece?.["under_way"] ?? 0)) };
  }

  return {
    async underWay(run) {
      const { failures, underWay } = await read(run);
      return failures.slice(failures.length - underWay);
    },
    all: async (run) => (await read(run)).failures,
    note(run, failure, ofSequence) {
      writing = writing.then(async () =>
        records.change(pieceOf(run), (before) => ({
          failures: [...failuresIn(before), ...(failure ? [failure] : [])].slice(-MAX_FAILURES),
          under_way: ofSequence,
        })),
      );
    },
    written: async () => writing,
  };
}

function pieceOf(run: RunOfTool): readonly unknown[] {
  return ["failures", runKey(run)];
}

/** Only we have written them. */
function failuresIn(
  piece: Readonly<Record<string, unknown>> | undefined,
): readonly AttemptFailure[] {
  const failures = piece?.["failures"];
  return Array.isArray(failures) ? (failures as readonly AttemptFailure[]) : [];
}
