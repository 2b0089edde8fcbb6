import type { Fault } from "../cases/spoilt-call.ts";
import type { CaseResult } from "./measure-case.ts";

/** A system's figures over many calls; shares are between 0 and 1. */
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
  /** Repaired after at most one, two and three rounds. */
  readonly repaired: readonly [number, number, number];
  readonly nearMisses: number;
  readonly hintsRight: number;
  readonly hintsWrong: number;
  /** Explained, of the misspelt keys and of the faults inside unions alone. */
  readonly misspeltExplained: number;
  readonly unionsExplained: number;
}

/** How numbers are distributed. */
interface Spread {
  readonly median: number;
  readonly p95: number;
  readonly max: number;
}

/** Sums up what a system did with many calls. */
export function summarize(results: readonly CaseResult[]): Figures {
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
    repaired: [repaired(1), repaired(2), repaired(3)],
    nearMisses,
    hintsRight: share(hintsRight, nearMisses),
    hintsWrong: sum(results, ({ hints }) => hints.wrong),
    misspeltExplained: explainedOf(results, ({ kind }) => kind === "misspelt"),
    unionsExplained: explainedOf(results, ({ inUnion }) => inUnion),
  };
}

function explainedOf(results: readonly CaseResult[], fits: (fault: Fault) => boolean): number {
  const explained = sum(results, (one) => one.explained.filter(fits).length);
  const whole = sum(results, ({ spoilt }) => spoilt.faults.filter(fits).length);
  return share(explained, whole);
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
  return { median: at(0.5), p95: at(0.95), max: at(1) };
}

/** The share of the items that fit. */
export function shareOf<T>(items: readonly T[], fits: (item: T) => boolean): number {
  return share(items.filter(fits).length, items.length);
}

function sum<T>(items: readonly T[], measure: (item: T) => number): number {
  return items.reduce((total, item) => total + measure(item), 0);
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
