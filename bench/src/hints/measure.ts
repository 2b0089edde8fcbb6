import { type ValidationError, createContract } from "@toolcontract/core";
import type { CorpusCall } from "../corpus.ts";
import { followHints } from "@toolcontract/corrections";
import type { RefusedCall } from "./meaning.ts";
import { isSame } from "./same-json.ts";
import { type Slip, slipsOf } from "./slips.ts";

const contract = createContract({
  logger: () => undefined,
  format: { maxErrors: 50 },
  unwrapStrings: false,
});

/** What came of the hints of some slips. */
export interface HintCount {
  readonly slips: number;
  /** Following the hints gives the call that was meant. */
  readonly right: number;
  /** Following them gives another call. */
  readonly wrong: number;
}

/** One slip and the answer to it. */
export interface Outcome {
  readonly slip: Slip;
  readonly errors: readonly ValidationError[];
  readonly verdict: "right" | "wrong" | "none";
}

/** Makes the slips of calls and follows the hints that come back. */
export function measureHints(calls: readonly CorpusCall[]): readonly Outcome[] {
  return calls.flatMap(slipsOf).flatMap((slip) => {
    const result = contract.check(slip.tool, slip.sent);
    if (result.status === "valid") return [];
    return [{ slip, errors: result.errors, verdict: verdictOf(slip, result.errors) }];
  });
}

/** What the contract answers to a call that it refuses; nothing if it runs. */
export function refusedCall({ tool, ...call }: Omit<Slip, "kind">): readonly RefusedCall[] {
  const result = contract.check(tool, call.sent);
  return result.status === "valid" ? [] : [{ ...call, errors: result.errors }];
}

function verdictOf({ meant, sent }: Slip, errors: readonly ValidationError[]): Outcome["verdict"] {
  if (meant === undefined)
    return errors.some(({ hint = "" }) =>
      /^(?:rename |use |move |send an array|leave it out)/.test(hint),
    )
      ? "wrong"
      : "none";
  const followed = followHints(sent, errors);
  if (followed === undefined) return "none";
  if (isSame(followed, meant)) return "right";
  // What no hint is about may still be wrong; what a hint is about must not be.
  const unhinted = errors
    .filter(({ hint }) => hint === undefined)
    .map(({ fieldPath }) => fieldPath);
  return unhinted.length > 0 && agrees(followed, meant, unhinted) ? "none" : "wrong";
}

/** Whether each field is as it was meant, unless a fault of it got no hint. */
function agrees(followed: unknown, meant: Slip["meant"], unhinted: readonly string[]): boolean {
  return Object.entries({ ...meant, ...(followed as object) }).every(
    ([name, value]) =>
      unhinted.some((pointer) => pointer.split("/").includes(name)) ||
      (meant !== undefined && isSame(value, meant[name])),
  );
}

/** Counts the near misses, those that a hint can know, and what came of them; foreign ones can only be wrong. */
export function countHints(outcomes: readonly Outcome[]): HintCount {
  const near = outcomes.filter(({ slip }) => slip.meant !== undefined);
  return {
    slips: near.length,
    right: near.filter(({ verdict }) => verdict === "right").length,
    wrong: outcomes.filter(({ verdict }) => verdict === "wrong").length,
  };
}
