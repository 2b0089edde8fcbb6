import type { Played } from "./scenario.ts";

/** The totals of a run. */
export interface Summary {
  readonly passed: number;
  readonly failed: number;
  readonly checks: number;
  readonly refused: number;
  /** Rejected calls that ran without the contract. */
  readonly ranWithout: number;
  readonly tokens: {
    readonly without: number;
    readonly standard: number;
    readonly compact: number;
  };
}

/** Adds up the scenes of a run. */
export function summarize(scenes: readonly Played[]): Summary {
  const refused = scenes
    .flatMap(({ scene }) => scene?.turns ?? [])
    .flatMap(({ calls }) => calls)
    .filter(({ handled }) => handled.status !== "executed");
  const failed = scenes.filter(({ failures }) => failures.length > 0).length;
  return {
    passed: scenes.length - failed,
    failed,
    checks: sum(scenes, ({ assertions }) => assertions.length),
    refused: refused.length,
    ranWithout: refused.filter(({ without }) => without.some(({ ran }) => ran)).length,
    tokens: {
      without: sum(refused, ({ without }) => without[0]?.tokens ?? 0),
      standard: sum(refused, ({ tokens }) => tokens),
      compact: sum(refused, ({ compactTokens }) => compactTokens),
    },
  };
}

function sum<T>(items: readonly T[], measure: (item: T) => number): number {
  return items.reduce((total, item) => total + measure(item), 0);
}
