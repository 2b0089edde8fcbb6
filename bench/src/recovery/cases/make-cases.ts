import { type Corpus, type CorpusCall, corpusCall } from "../../corpus.ts";
import { zodOfTool } from "../../zod-of-tool.ts";
import { judgeOfTool } from "../judge-of-tool.ts";
import { withValue } from "../pointer.ts";
import { type Random, randomFrom } from "../random.ts";
import { applyEdit } from "./apply-edit.ts";
import type { Fault } from "./fault.ts";
import { hardenTool } from "./harden-tool.ts";
import { isFreeText, plantSecret } from "./plant-secret.ts";
import { sitesOf } from "./sites.ts";
import { drawKind, spoil } from "./spoil.ts";
import type { SpoiltCall } from "./spoilt-call.ts";

const SEED = "recovery-1";
const TRIES = 8;
const SECRET_SHARE = 0.3;

/** Spoils the calls of a corpus, some of them in several ways; the same on every run. */
export function makeCases({ name, calls }: Corpus, perCall: number): readonly SpoiltCall[] {
  return calls.flatMap((call, index) =>
    Array.from({ length: perCall }, (_, round) => {
      const id = `${name}-${index}-${round}`;
      return makeCase(call, id, name) ?? [];
    }).flat(),
  );
}

function makeCase(call: CorpusCall, id: string, source: string): SpoiltCall | undefined {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const random = randomFrom(`${SEED}:${id}:${tried}`);
    const kind = drawKind(random);
    const hard = hardenTool(call, kind, random);
    const { args: golden, secrets } = withSecret(hard, random);
    const isValid = judgeOfTool(hard.tool);
    if (!isValid(golden)) continue;
    const { args, faults } = spoil(sitesOf(hard.tool.inputSchema, golden), golden, kind, random);
    if (!isFair(isValid, args, golden, faults) || makesTwins(args, golden, faults)) continue;
    const zod = zodOfTool(hard.tool);
    const zodAgrees =
      zod !== undefined && isFair((value) => zod.safeParse(value).success, args, golden, faults);
    const shown = corpusCall(hard.tool, args);
    return { ...shown, id, source, golden, faults, secrets, zodAgrees };
  }
  return undefined;
}

/** Whether the faults together make a further one: equal items where they have to differ. */
function makesTwins(args: unknown, golden: unknown, faults: readonly Fault[]): boolean {
  if (faults.some(({ kind }) => kind === "duplicate")) return false;
  return hasTwins(args) && !hasTwins(golden);
}

function hasTwins(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const inside: readonly unknown[] = Object.values(value);
  const isSet = new Set(inside.map((item) => JSON.stringify(item))).size === inside.length;
  return (Array.isArray(value) && !isSet) || inside.some(hasTwins);
}

/** Whether every fault alone makes the call invalid, and undoing all makes it valid. */
function isFair(
  isValid: (value: unknown) => boolean,
  args: unknown,
  golden: unknown,
  faults: readonly Fault[],
): boolean {
  if (faults.length === 0 || !isValid(golden)) return false;
  if (!isValid(undo(args, faults))) return false;
  return faults.every(
    (fault) =>
      !isValid(
        undo(
          args,
          faults.filter((other) => other !== fault),
        ),
      ),
  );
}

function undo(args: unknown, faults: readonly Fault[]): unknown {
  return faults.reduce<unknown>((at, fault) => applyEdit(at, fault.undo), args);
}

function withSecret(
  { tool, args }: CorpusCall,
  random: Random,
): Pick<SpoiltCall, "args" | "secrets"> {
  const places = sitesOf(tool.inputSchema, args).filter(isFreeText);
  if (places.length === 0 || random.next() > SECRET_SHARE) return { args, secrets: [] };
  const { text, secret } = plantSecret(random);
  const changed = withValue(args, random.pick(places).pointer, text);
  return { args: changed as SpoiltCall["args"], secrets: [secret] };
}
