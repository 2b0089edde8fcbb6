import type { CorpusCall } from "../../corpus.ts";
import { malformedTexts } from "../cases/malformed-texts.ts";
import type { MakeCall, System } from "../systems/system.ts";

/** What a system made of one kind of malformed text. */
export interface MalformedCount {
  readonly kind: string;
  readonly calls: number;
  /** The model reads an answer. */
  readonly answered: number;
  /** The tool ran with what the model meant. */
  readonly ranRight: number;
  /** The tool ran with something else, or with something of which nobody can know whether it was meant. */
  readonly ranWrong: number;
  /** The model reads nothing, or the run ends. */
  readonly silent: number;
}

/** Hands a system the malformed texts of valid calls; only for systems that get arguments as text. */
export async function measureMalformed(
  calls: readonly CorpusCall[],
  system: System,
): Promise<readonly MalformedCount[]> {
  const counts = new Map<string, MalformedCount>();
  for (const call of calls) {
    const makeCall = await system.offer(call.tool);
    for (const { kind, text, meant } of malformedTexts(call)) {
      const outcome = await makeCall(text).catch(() => ({ status: "silent" }) as const);
      const before = counts.get(kind) ?? { kind, ...NONE };
      const isRight = outcome.status === "ran" && (await isMeant(outcome.args, meant, makeCall));
      counts.set(kind, {
        kind,
        calls: before.calls + 1,
        answered: before.answered + Number(outcome.status === "answered"),
        ranRight: before.ranRight + Number(isRight),
        ranWrong: before.ranWrong + Number(outcome.status === "ran" && !isRight),
        silent: before.silent + Number(outcome.status === "silent"),
      });
    }
  }
  return [...counts.values()];
}

const NONE = { calls: 0, answered: 0, ranRight: 0, ranWrong: 0, silent: 0 };

/** Compared with what the same host makes of faultless text: a validator may add defaults. */
async function isMeant(args: unknown, meant: unknown, makeCall: MakeCall): Promise<boolean> {
  if (meant === undefined) return false;
  const faultless = await makeCall(JSON.stringify(meant));
  return faultless.status === "ran" && JSON.stringify(args) === JSON.stringify(faultless.args);
}
