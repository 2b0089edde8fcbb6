import type { Turn } from "../engine/index.ts";

/** How a turn is shown. */
interface TurnLook {
  /** What came of the call, in a few words. */
  readonly words: string;
  /** The class of its colour. */
  readonly look: string;
}

/** A call that ran is one thing, and one that ran with something unchecked is another. */
export function lookOf({ status, unchecked }: Turn): TurnLook {
  return status === "ran" && unchecked.length > 0
    ? { words: "ran, not all checked", look: "is-unchecked" }
    : { words: status, look: `is-${status}` };
}

/** The calls of the newest answer: one, or each of several. */
export function newestOf(turns: readonly Turn[]): readonly Turn[] {
  const { place } = turns.at(-1) ?? {};
  return turns.slice(-(place?.of ?? 1));
}

/** Whether the contract answered the call instead of the tool. */
export function isRefused({ status }: Turn): boolean {
  return status !== "ran" && status !== "unfinished";
}
