import type { Fault } from "../cases/fault.ts";
import type { CaseResult } from "./measure-case.ts";

/** A system's figures over many calls; shares are of 1. */
export interface Figures {
  readonly calls: number;
  readonly faults: number;
  readonly answered: number;
  readonly ranInvalid: number;
  readonly silent: number;
  readonly located: number;
  readonly explained: number;
  readonly wholeCalls: number;
  readonly noisePerCall: number;
  readonly tokens: Spread;
  readonly characters: Spread;
  readonly tokensPerFault: number;
  readonly secretsPlanted: number;
  readonly secretsLeaked: number;
  readonly falseRejections: number;
  readonly repaired: readonly [number, number, number];
  readonly nearMisses: number;
  readonly hintsRight: number;
  readonly hintsWrong: number;
  /** Explained, of the misspelt keys and of the faults behind a choice of variants alone. */
  readonly misspeltExplained: number;
  readonly unionsExplained: number;
}

/** How a number is spread. */
interface Spread {
  readonly median: number;
  readonly p95: number;
  readonly max: number;
}

/** Adds up what a system made of many calls. */
export function summarize(results: readonly CaseResult[]): Figures {
  const calls = results.length;
  const faults = sum(results, ({ spoilt }) => spoilt.faults.length);
  const answered = results.filter(({ status }) => status === "answered");
  const count = (fits: (result: CaseResult) => boolean): number => results.filter(fits).length;
  const withSecret = results.filter(({ spoilt }) => spoilt.secrets.length > 0);
  const repaired = (rounds: number): number =>
    share(
      count(({ repairedAfter = Infinity }) => repairedAfter <= rounds),
      calls,
    );
  const nearMisses = sum(results, ({ hints }) => hints.nearMisses);
  return {
    calls,
    faults,
    answered: share(answered.length, calls),
    ranInvalid: share(
      count(({ status }) => status === "ran"),
      calls,
    ),
    silent: share(
      count(({ status }) => status === "silent"),
      calls,
    ),
    located: share(
      sum(results, ({ located }) => located.length),
      faults,
    ),
    explained: share(
      sum(results, ({ explained }) => explained.length),
      faults,
    ),
    wholeCalls: share(
      count((one) => one.explained.length === one.spoilt.faults.length),
      calls,
    ),
    noisePerCall: share(
      sum(results, ({ noise }) => noise.length),
      calls,
    ),
    tokens: spread(answered.map(({ tokens }) => tokens)),
    characters: spread(answered.map(({ characters }) => characters)),
    tokensPerFault: share(
      sum(answered, ({ tokens }) => tokens),
      sum(answered, (one) => one.spoilt.faults.length),
    ),
    secretsPlanted: withSecret.length,
    secretsLeaked: withSecret.filter(({ leaked }) => leaked).length,
    falseRejections: count(({ falselyRejected }) => falselyRejected),
    repaired: [repaired(1), repaired(2), repaired(3)],
    nearMisses,
    hintsRight: share(
      sum(results, ({ hints }) => hints.right),
      nearMisses,
    ),
    hintsWrong: sum(results, ({ hints }) => hints.wrong),
    misspeltExplained: explainedOf(results, ({ kind }) => kind === "misspelt"),
    unionsExplained: explainedOf(results, ({ inUnion }) => inUnion),
  };
}

function explainedOf(results: readonly CaseResult[], fits: (fault: Fault) => boolean): number {
  const whole = sum(results, ({ spoilt }) => spoilt.faults.filter(fits).length);
  return share(
    sum(results, ({ explained }) => explained.filter(fits).length),
    whole,
  );
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
  return { median: at(0.5), p95: at(0.95), max: at(1) };
}

function sum<T>(items: readonly T[], measure: (item: T) => number): number {
  return items.reduce((total, item) => total + measure(item), 0);
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
