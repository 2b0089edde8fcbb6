import type { Blocked } from "@toolcontract/core";
import { createRecentMap, type RecentMap } from "@toolcontract/core/adapter";

const MOST = 1_000;

/** Answers that wait for a person; a resumed graph runs the call again from its start and must not be told twice. */
export type PendingAnswers = RecentMap<string, Blocked>;

/** Makes the register; what is never resumed falls out of it in time. */
export function createPendingAnswers(): PendingAnswers {
  return createRecentMap(MOST);
}
