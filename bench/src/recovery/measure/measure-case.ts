import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { Fault } from "../cases/fault.ts";
import type { SpoiltCall } from "../cases/spoilt-call.ts";
import { judgeOfTool } from "../judge-of-tool.ts";
import { repairRounds } from "../repair/repair-rounds.ts";
import type { MakeCall, System } from "../systems/system.ts";
import { leaks } from "./find-leaks.ts";
import { type HintCount, judgeHints } from "./judge-hints.ts";
import { matchFaults } from "./match-faults.ts";

/** What a system made of one invalid call. */
export interface CaseResult {
  readonly spoilt: SpoiltCall;
  readonly status: "answered" | "ran" | "silent";
  readonly text: string;
  readonly located: readonly Fault[];
  readonly explained: readonly Fault[];
  readonly noise: readonly string[];
  readonly characters: number;
  readonly tokens: number;
  readonly leaked: boolean;
  readonly hints: HintCount;
  /** After how many rounds the corrector had it valid. */
  readonly repairedAfter?: number;
  /** Whether the system refuses the valid call of which this one was made. */
  readonly falselyRejected: boolean;
}

/** Makes a spoilt call and the valid one of which it was made, and measures the text that comes back. */
export async function measureCase(spoilt: SpoiltCall, system: System): Promise<CaseResult> {
  const makeCall = await system.offer(spoilt.tool);
  const outcome = await makeCall(spoilt.text);
  const golden = await makeCall(JSON.stringify(spoilt.golden));
  const text = outcome.status === "answered" ? outcome.text : "";
  const complaints = system.read(text);
  const { located, explained, noise } = matchFaults(spoilt.faults, complaints);
  const repairedAfter = await repair(spoilt, outcome, makeCall, system);
  return {
    spoilt,
    status: outcome.status,
    text,
    located,
    explained,
    noise: noise.map(({ pointer, words }) => `${pointer}: ${words}`),
    characters: text.length,
    tokens: countTokens(text),
    leaked: leaks(text, spoilt.secrets),
    hints: judgeHints(spoilt.faults, complaints),
    ...(repairedAfter !== undefined && { repairedAfter }),
    falselyRejected: golden.status !== "ran",
  };
}

async function repair(
  spoilt: SpoiltCall,
  outcome: Awaited<ReturnType<MakeCall>>,
  makeCall: MakeCall,
  { read }: System,
): Promise<number | undefined> {
  return repairRounds(spoilt.args, outcome, makeCall, read, judgeOfTool(spoilt.tool));
}
