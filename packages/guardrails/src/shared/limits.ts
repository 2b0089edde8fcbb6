import type { HostContext } from "@toolcontract/core";

/** The time in which calls add up. */
export type Per = "minute" | "hour" | "day" | "run";

/**
 * Whose calls add up: those of a conversation, of a user, of a tenant, of everybody, or of whoever a function of the host's context
 * names.
 */
export type LimitScope =
  | "conversation"
  | "user"
  | "tenant"
  | "global"
  | ((context: HostContext) => string | undefined);

/**
 * How much may be spent, by whom and per which period.
 *
 * @example
 * ```ts
 * const limit: LimitOptions = { max: 100, per: "day", scope: "conversation" };
 * ```
 * @see docs/limits.md
 */
export interface LimitOptions {
  /** The most that may be spent; at least 0. */
  readonly max: number;
  /**
   * The time in which calls add up: the last minute, the last hour, the calendar day in `timeZone`, or the run.
   *
   * @default for ever
   */
  readonly per?: Per;
  /**
   * Whose calls add up. A call whose scope has no value, such as `user` without `context.user`, is refused.
   *
   * @default "conversation"
   */
  readonly scope?: LimitScope;
  /**
   * The time zone of a calendar day, such as `Europe/Berlin`.
   *
   * @default "UTC"
   */
  readonly timeZone?: string;
}

/** How much of a limit is used, and how much is left. */
export interface LimitUsage {
  /** The most that may be spent. */
  readonly max: number;
  /** The amount of calls that are known to have happened. */
  readonly spent: number;
  /** The amount of calls that are under way. */
  readonly reserved: number;
  /** Held by calls whose outcome is unknown. */
  readonly inDoubt: number;
  /** What another call may spend; never negative. */
  readonly left: number;
}
