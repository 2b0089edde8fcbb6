import { type Check, type Level, LEVELS } from "../shared/index.ts";

/** How many checks of a level passed. */
export interface LevelTally {
  readonly level: Level;
  readonly passed: number;
  readonly total: number;
}

/** The passed and all checks of each level that has any. */
export function tallyOf(checks: readonly Check[]): readonly LevelTally[] {
  return LEVELS.flatMap((level) => {
    const own = checks.filter((check) => check.level === level);
    const passed = own.filter((check) => check.passed).length;
    return own.length === 0 ? [] : [{ level, passed, total: own.length }];
  });
}

/** The highest level of which, and of all below it, everything passed; undefined if not even L1. */
export function levelOf(checks: readonly Check[]): Level | undefined {
  const tallies = tallyOf(checks);
  const firstLost = tallies.findIndex(({ passed, total }) => passed < total);
  return tallies[(firstLost === -1 ? tallies.length : firstLost) - 1]?.level;
}
