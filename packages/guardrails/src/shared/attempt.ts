/** The attempt that a tool runs in, as `currentAttempt()` returns it. */
export interface Attempt<State = unknown> {
  /** Names the attempt in telemetry, such as `call_1#2`. */
  readonly id: string;
  /** The provider's id of the call. */
  readonly callId: string;
  /** The tool's name. */
  readonly tool: string;
  /** The number of the attempt among those of its tool that failed in a row, from 1. */
  readonly number: number;
  /**
   * The staged state: changes are visible outside only after the attempt has succeeded.
   *
   * @throws ToolContractError once the attempt is over, and without a store.
   */
  readonly state: State;
  /**
   * The same for the same arguments in one run, and another for others: pass it on to services that deduplicate by key.
   * Undefined if the host cannot tell this run from others: a repeated call would get another key.
   */
  readonly idempotencyKey: string | undefined;
  /** Aborts when the call is cancelled or its time is over. */
  readonly signal: AbortSignal;
  /**
   * Registers what undoes an effect; run in reverse order if the attempt fails.
   *
   * @remarks It runs after the attempt has given its slots back, so it may call a tool that waits for them.
   * @param name - Names the effect for the model if it could not be undone; the tool's name by default.
   */
  readonly onRollback: (undo: () => unknown, name?: string) => void;
  /** Registers an effect that is made after the commit; if it fails, that is reported and nothing is rolled back. */
  readonly onCommit: (effect: () => unknown) => void;
}
