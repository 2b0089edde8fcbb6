import { type Corpus, type CorpusCall, thinOut } from "../corpus.ts";
import { lookAlikeCases } from "./cases/look-alikes.ts";
import { MADE_TOOLS } from "./cases/made-tools.ts";
import { makeCases } from "./cases/make-cases.ts";
import type { SpoiltCall } from "./cases/spoilt-call.ts";

/** How many cases are made of what. */
export interface CaseCounts {
  /** Real calls at most, each spoilt once. */
  readonly calls: number;
  /** How often each call of an MCP server's tool is spoilt, and each of a made tool. */
  readonly perServerCall: number;
  readonly perMadeCall: number;
}

/** Enough for shares of a thousandth. */
export const FULL: CaseCounts = { calls: 700, perServerCall: 4, perMadeCall: 40 };

/** Enough to see a broken promise, in a few seconds. */
export const QUICK: CaseCounts = { calls: 150, perServerCall: 1, perMadeCall: 12 };

/** The invalid calls of all sources, and valid ones for what needs those. */
export interface RecoveryCases {
  readonly spoilt: readonly SpoiltCall[];
  readonly valid: readonly CorpusCall[];
}

/** Makes the cases of the tools of MCP servers, of made tools, of look-alike names and of real calls. */
export function recoveryCases(
  servers: Corpus,
  real: Corpus | undefined,
  counts: CaseCounts,
): RecoveryCases {
  const calls = real === undefined ? [] : thinOut(real.calls, counts.calls);
  return {
    spoilt: [
      ...makeCases(servers, counts.perServerCall),
      ...makeCases(MADE_TOOLS, counts.perMadeCall),
      ...(real === undefined ? [] : makeCases({ name: real.name, calls }, 1)),
      ...lookAlikeCases(),
    ],
    valid: [...servers.calls, ...MADE_TOOLS.calls, ...calls],
  };
}
