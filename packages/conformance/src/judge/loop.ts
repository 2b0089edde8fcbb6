import type { Scenario } from "../shared/index.ts";

/** The try by which a call that keeps failing must have been stopped. */
export const MOST_TRIES = 10;

/** Whether the model never learns in a scenario. */
export function isLoop({ turns }: Scenario): boolean {
  const sent = turns.flatMap(({ times = 1, calls }) => Array.from({ length: times }, () => calls));
  return sent.length >= MOST_TRIES && sent.flat().every(({ expect }) => expect === "refused");
}
