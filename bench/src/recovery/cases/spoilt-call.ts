import type { CorpusCall } from "../../corpus.ts";
import type { Fault } from "./fault.ts";

/** An invalid call with its ground truth. */
export interface SpoiltCall extends CorpusCall {
  readonly id: string;
  /** Where the tool and the valid call come from. */
  readonly source: string;
  readonly golden: Readonly<Record<string, unknown>>;
  readonly faults: readonly Fault[];
  /** What must not leave: the parts of planted secrets that are secret. */
  readonly secrets: readonly string[];
  /** Whether zod finds each of the faults too, with the same schema. */
  readonly zodAgrees: boolean;
}
