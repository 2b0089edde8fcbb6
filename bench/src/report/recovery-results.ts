import type { Origin } from "../recovery/origin.ts";
import type { SystemResult } from "../recovery/run-recovery.ts";

/** What `bench:recovery` writes. */
export interface RecoveryResults {
  readonly origin: Origin;
  readonly results: readonly SystemResult[];
}
