import type { WithContract } from "@toolcontract/core/adapter";

/** What happens to calls that the contract finds invalid: answered here, forwarded with the server's refusal put in the contract's words, or only counted and logged. */
export type GateMode = "enforce" | "assist" | "audit";

/** The gate's own options, beside those of the contract. */
export interface GateSettings {
  /** `"enforce"` by default. */
  readonly mode?: GateMode;
  /** Calls that some servers take although their schema does not (`"5"` for 5), and names that they do not list: `"assist"` by default. */
  readonly soft?: "assist" | "reject" | "forward";
  /** Calls of a tool whose attempts are spent: answered here (default), or forwarded. */
  readonly onExhausted?: "answer" | "forward";
  /** Tools whose calls the gate leaves alone, by name. */
  readonly tools?: Readonly<Record<string, "on" | "off">>;
  /** A call whose schema could not be read goes on (default), or is refused. */
  readonly failOpen?: boolean;
  /** How long a call may wait for its schema, in milliseconds; 5,000 by default. */
  readonly listTimeoutMs?: number;
  /** After how many idle milliseconds attempts are forgotten; 600,000 by default. */
  readonly attemptWindowMs?: number;
  /** Calls of one tool this close together, in milliseconds, are one attempt; 100 by default. */
  readonly coalesceMs?: number;
}

/** A contract, or the options of a new one, and the gate's own. */
export type GateOptions = WithContract<GateSettings>;
