import type { MaybePromise } from "@toolcontract/core/adapter";

/** The names of the effects. */
export const EFFECTS = ["none", "state", "idempotent", "compensable", "irreversible"] as const;

/**
 * What a tool does to the world, which decides whether its attempt can be repeated and undone.
 *
 * - `none`: nothing. `state`: it changes the store alone, which rolls back.
 * - `idempotent`: a repeated call with the same key has no further effect.
 * - `compensable`: what it did can be undone by a function (`onRollback`, or `compensate`).
 * - `irreversible`: it cannot be undone. So is every tool of which nothing is known.
 */
export type Effect = (typeof EFFECTS)[number];

/** A call that undoes another one, made through the host. */
export interface InverseCall {
  /** The tool to call. */
  readonly name: string;
  /** Its arguments. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What a tool did, for what undoes it. */
export interface Performed<Args = unknown, Result = unknown> {
  /** The tool's name. */
  readonly tool: string;
  /** The arguments that the tool got. */
  readonly args: Args;
  /** What it returned; a call that failed by itself is not undone. */
  readonly result: Result;
  /** The key under which the effect was made, if there was one. */
  readonly idempotencyKey: string | undefined;
}

/** Undoes what a tool did: by itself, or by a call that the host makes. */
export type Compensation<Args = unknown, Result = unknown> = (
  performed: Performed<Args, Result>,
) => MaybePromise<InverseCall | undefined | void>;
