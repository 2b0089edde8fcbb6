import { oneInThree } from "@toolcontract/case-table/whole";
import { describe, expect, test } from "vitest";
import { createContract } from "@toolcontract/core";
import { followHints } from "@toolcontract/corrections";
import { readGradedCalls } from "./graded-calls.ts";
import { type Harm, harmsOf } from "./meaning.ts";
import { measureHints, refusedCall } from "./measure.ts";
import { MODEL_FAULTS } from "./model-faults.ts";
import { readToolCalls } from "./tool-calls.ts";

const contract = createContract({
  logger: false,
  format: { style: "compact", maxErrors: 50 },
});
const graded = readGradedCalls();

const ONCE_EACH = "one value only: call the tool once for each";

interface Harmful {
  readonly harm: Harm;
  readonly sent: unknown;
  readonly fieldPath: string;
  readonly hint: string;
  readonly meant?: unknown;
}

test.each<Harmful>([
  { harm: "narrows", sent: { op: "soft_delete" }, fieldPath: "/op", hint: 'use "delete"' },
  { harm: "narrows", sent: { ids: ["1", "2"] }, fieldPath: "/ids", hint: 'use "1"' },
  { harm: "widens", sent: { dry_run: true }, fieldPath: "/dry_run", hint: "leave it out" },
  {
    harm: "widens",
    sent: { where: "id=5" },
    fieldPath: "/where",
    hint: "leave it out",
    meant: { where: "id=5" },
  },
  { harm: "invents", sent: { confirm: "maybe" }, fieldPath: "/confirm", hint: 'use "delete"' },
  { harm: "splits", sent: { content: ["a", "b"] }, fieldPath: "/content", hint: ONCE_EACH },
  {
    harm: "splits",
    sent: { docs: [{ kind: ["a", "b"] }] },
    fieldPath: "/docs/0/kind",
    hint: ONCE_EACH,
  },
])("a hint that $harm: $hint, for $sent", ({ harm, sent, fieldPath, hint, meant }) => {
  const error = { errorCode: "VAL-002", severity: "error", message: "", fieldPath, hint } as const;
  expect(harmsOf({ sent, errors: [error], meant })).toEqual([harm]);
});

describe("no hint narrows, widens, invents or splits what was sent", () => {
  test("of the slips in calls of made tools", () => {
    const outcomes = measureHints(oneInThree(readToolCalls()));
    expect(outcomes.length).toBeGreaterThan(1_000);
    const harmful = outcomes.flatMap(({ slip: { kind, sent, meant }, errors }) =>
      harmsOf({ sent, errors, meant }).map((harm) => [harm, kind, sent, errors]),
    );
    expect(harmful).toEqual([]);
  });

  test.each([
    ["the faults that models make", MODEL_FAULTS],
    ["the graded calls", graded],
  ])("of %s", (_, calls) => {
    const refused = calls.flatMap(refusedCall);
    const harmful = refused.flatMap((call) => harmsOf(call).map((harm) => [harm, call]));
    expect(harmful).toEqual([]);
  });
});

describe("the graded calls of published tools", () => {
  test("none is answered misleadingly, and few weakly", () => {
    const weak = graded.filter(({ grade }) => grade === "weak");
    expect(graded.length).toBe(279);
    expect(weak.length).toBeLessThanOrEqual(6);
  });

  test("each has the faults that were read, and its hints lead to the call that was read", () => {
    const read = graded.map(({ tool, sent, grade }) => {
      const result = contract.check(tool, sent);
      if (result.status === "valid") return { sent, runs: true };
      const followed = typeof sent === "string" ? undefined : followHints(sent, result.errors);
      const faults = result.errors.map(({ errorCode, fieldPath }) => `${errorCode} ${fieldPath}`);
      const isChanged = JSON.stringify(followed) !== JSON.stringify(sent);
      return {
        sent,
        runs: grade === "repaired",
        faults,
        followed: isChanged ? followed : undefined,
      };
    });
    const wanted = graded.map(({ sent, grade, faults, followed }) =>
      grade === "valid" || grade === "repaired"
        ? { sent, runs: true }
        : { sent, runs: false, faults, followed },
    );
    expect(read).toEqual(wanted);
  });
});
