import { thinOut } from "../../corpus.ts";
import { LOOK_ALIKES, type RecoveryCases } from "../cases/recovery-cases.ts";
import type { Fault } from "../cases/slips.ts";
import type { SchemaKind, System } from "../systems/system.ts";
import { isIdeallyRepaired } from "./ideal-repair.ts";
import { type MalformedCount, measureMalformed } from "./malformed.ts";
import { type CaseResult, measureCase } from "./measure-case.ts";

const MALFORMED_CALLS = 60;

/** What one system did with all cases. */
export interface SystemResult {
  readonly system: string;
  readonly schema: SchemaKind;
  readonly packages: readonly string[];
  readonly figures: Figures;
  /** The same for each source of cases alone. */
  readonly bySource: Readonly<Record<string, Figures>>;
  /** Share of the cases that the corrector makes valid at once with messages that say all there is to say. */
  readonly idealRepaired: number;
  readonly malformed: readonly MalformedCount[];
}

/** Measures one system; for zod tools, only on the cases that zod agrees about. */
export async function measureSystem(
  system: System,
  { spoilt, valid }: RecoveryCases,
): Promise<SystemResult> {
  const cases: CaseResult[] = [];
  for (const call of spoilt.filter(({ zodAgrees }) => zodAgrees || system.schema !== "zod")) {
    cases.push(await measureCase(call, system));
    await system.close?.();
  }
  const sources = [...new Set(cases.map((one) => one.spoilt.source))];
  const ofSource = (source: string): Figures =>
    summarize(cases.filter((one) => one.spoilt.source === source));
  const { nearMisses, hintsRight, hintsWrong } = summarize(cases);
  // Look-alikes exist to mislead did-you-means: they count for nothing else.
  const realistic = cases.filter((one) => one.spoilt.source !== LOOK_ALIKES);
  const { name, schema, packages } = system;
  return {
    system: name,
    schema,
    packages,
    figures: { ...summarize(realistic), nearMisses, hintsRight, hintsWrong },
    bySource: Object.fromEntries(sources.map((source) => [source, ofSource(source)])),
    idealRepaired: shareOf(realistic, (one) => isIdeallyRepaired(one.spoilt)),
    malformed: system.readsText
      ? await measureMalformed(thinOut(valid, MALFORMED_CALLS), system)
      : [],
  };
}

/** A system's figures over many calls; shares are between 0 and 1. */
type Figures = ReturnType<typeof summarize>;

/** Sums up what a system did with many calls. */
function summarize(results: readonly CaseResult[]) {
  const calls = results.length;
  const faults = sum(results, ({ spoilt }) => spoilt.faults.length);
  const answered = results.filter(({ status }) => status === "answered");
  const answeredFaults = sum(answered, ({ spoilt }) => spoilt.faults.length);
  const located = sum(results, (one) => one.located.length);
  const explained = sum(results, (one) => one.explained.length);
  const noise = sum(results, (one) => one.noise.length);
  const withSecret = results.filter(({ spoilt }) => spoilt.secrets.length > 0);
  const nearMisses = sum(results, ({ hints }) => hints.nearMisses);
  const hintsRight = sum(results, ({ hints }) => hints.right);
  const repaired = (rounds: number): number =>
    shareOf(results, ({ repairedAfter = Infinity }) => repairedAfter <= rounds);
  return {
    calls,
    faults,
    answered: shareOf(results, ({ status }) => status === "answered"),
    ranInvalid: shareOf(results, ({ status }) => status === "ran"),
    silent: shareOf(results, ({ status }) => status === "silent"),
    located: share(located, faults),
    explained: share(explained, faults),
    wholeCalls: shareOf(results, (one) => one.explained.length === one.spoilt.faults.length),
    noisePerCall: share(noise, calls),
    tokens: spread(answered.map(({ tokens }) => tokens)),
    characters: spread(answered.map(({ characters }) => characters)),
    tokensPerFault: share(
      sum(answered, ({ tokens }) => tokens),
      answeredFaults,
    ),
    secretsPlanted: withSecret.length,
    secretsLeaked: withSecret.filter(({ leaked }) => leaked).length,
    falseRejections: results.filter(({ falselyRejected }) => falselyRejected).length,
    /** After at most one, two and three rounds. */
    repaired: [repaired(1), repaired(2), repaired(3)] as const,
    nearMisses,
    hintsRight: share(hintsRight, nearMisses),
    hintsWrong: sum(results, ({ hints }) => hints.wrong),
    /** Explained, of the misspelt keys and of the faults inside unions alone. */
    misspeltExplained: explainedOf(results, ({ kind }) => kind === "misspelt"),
    unionsExplained: explainedOf(results, ({ inUnion }) => inUnion),
  };
}

function explainedOf(results: readonly CaseResult[], fits: (fault: Fault) => boolean): number {
  const explained = sum(results, (one) => one.explained.filter(fits).length);
  const whole = sum(results, ({ spoilt }) => spoilt.faults.filter(fits).length);
  return share(explained, whole);
}

function spread(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
  return { median: at(0.5), p95: at(0.95), max: at(1) };
}

/** The share of the items that fit. */
function shareOf<T>(items: readonly T[], fits: (item: T) => boolean): number {
  return share(items.filter(fits).length, items.length);
}

function sum<T>(items: readonly T[], measure: (item: T) => number): number {
  return items.reduce((total, item) => total + measure(item), 0);
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
