import { createHash } from "node:crypto";
import { jsonText } from "../shared/index.ts";

/** How often the same call with the same result is not progress. */
const TIMES = 3;

/** Finds out whether a run goes round in circles. */
export interface Progress {
  /**
   * Notes the result of a call. Returns how often the same call had the same result, or failed, one turn counted once, and whether
   * the model has been told in an earlier turn; undefined while that is progress.
   */
  note(done: {
    readonly turn: number;
    readonly tool: string;
    readonly input: unknown;
    readonly result: string;
    /** Whether the call failed: then its words may differ, such as by the id of a request. */
    readonly isFailed?: boolean;
  }): { readonly times: number; readonly wasTold: boolean } | undefined;
}

/** Creates the progress of one run; it keeps hashes, and no arguments or results. */
export function createProgress(repeatable: readonly string[]): Progress {
  const seen = new Map<string, { readonly result: string; readonly turn: number; times: number }>();
  /** The turn in which the model made the call that it is told about. */
  let toldIn: number | undefined;
  return {
    note({ turn, tool, input, result: text, isFailed = false }) {
      if (repeatable.includes(tool)) return undefined;
      const call = hashOfText(`${tool} ${jsonText(input) ?? ""}`);
      const result = isFailed ? "failed" : hashOfText(text);
      const before = seen.get(call);
      // Equal calls of one answer are one step.
      if (before?.turn === turn) return undefined;
      const times = before?.result === result ? before.times + 1 : 1;
      seen.set(call, { result, turn, times });
      if (times < TIMES) return undefined;
      // Other calls of the same answer are told with it: what the model has not read does not count against it.
      if (toldIn === turn) return undefined;
      const told = { times, wasTold: toldIn !== undefined };
      toldIn ??= turn;
      return told;
    },
  };
}

function hashOfText(text: string): string {
  return createHash("sha256").update(text).digest("base64").slice(0, 22);
}
