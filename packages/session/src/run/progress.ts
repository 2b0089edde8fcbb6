import { createHash } from "node:crypto";
import { jsonText } from "../shared/index.ts";

/** How often the same call with the same result is not progress. */
const TIMES = 3;

/** Finds out whether a run goes round in circles. */
export interface Progress {
  /**
   * Notes the result of a call. Returns how often the same call had the same result, one turn counted once, and whether the model
   * has been told before; undefined while that is progress.
   */
  note(done: {
    readonly turn: number;
    readonly tool: string;
    readonly input: unknown;
    readonly result: string;
  }): { readonly times: number; readonly wasTold: boolean } | undefined;
}

/** Creates the progress of one run; it keeps hashes, and no arguments or results. */
export function createProgress(repeatable: readonly string[]): Progress {
  const seen = new Map<string, { readonly result: string; readonly turn: number; times: number }>();
  let wasTold = false;
  return {
    note({ turn, tool, input, result: text }) {
      if (repeatable.includes(tool)) return undefined;
      const call = hashOfText(`${tool} ${jsonText(input) ?? ""}`);
      const result = hashOfText(text);
      const before = seen.get(call);
      // Equal calls of one answer are one step.
      if (before?.turn === turn) return undefined;
      const times = before?.result === result ? before.times + 1 : 1;
      seen.set(call, { result, turn, times });
      if (times < TIMES) return undefined;
      const told = { times, wasTold };
      wasTold = true;
      return told;
    },
  };
}

function hashOfText(text: string): string {
  return createHash("sha256").update(text).digest("base64").slice(0, 22);
}
