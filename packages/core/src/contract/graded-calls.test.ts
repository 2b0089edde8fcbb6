import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createContract } from "../index.ts";

const contract = createContract({ logger: false });

/** A wrong call of a published tool, and what a reader has found of what is said of it. */
interface GradedCall {
  readonly tool: string;
  readonly arguments: unknown;
  readonly about: string;
  /** `weak`: true, but it costs a turn more than it had to. None misleads. */
  readonly grade: "perfect" | "fine" | "weak";
  /** Facts that the model needs, however they are worded around. */
  readonly says: readonly string[];
  /** What would have it send something else than it meant. */
  readonly never?: readonly string[];
}

const { tools, calls } = JSON.parse(
  readFileSync(new URL("graded-calls.json", import.meta.url), "utf8"),
) as {
  readonly tools: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly calls: readonly GradedCall[];
};

/** What a model reads, in whatever style. */
function textOf(call: GradedCall): string {
  const tool = { name: call.tool, inputSchema: tools[call.tool] ?? false };
  const result = contract.check(tool, call.arguments);
  if (result.status === "valid") return "";
  return result.errors
    .map(({ fieldPath, expectedValue, hint, actualValue }) =>
      [fieldPath, expectedValue, hint, actualValue].join(" "),
    )
    .join("\n");
}

describe("wrong calls of published tools, whose texts once misled or were weak", () => {
  test.each(calls.map((call) => [call.tool, call.about, call] as const))(
    "%s: %s",
    (_, __, call) => {
      const text = textOf(call);
      expect(text).not.toBe("");
      for (const fact of call.says) expect(text).toContain(fact);
      for (const wrong of call.never ?? []) expect(text).not.toContain(wrong);
    },
  );

  test("none misleads, and at most one in six is weak", () => {
    const weak = calls.filter(({ grade }) => grade === "weak").length;
    expect(calls).toHaveLength(46);
    expect(weak).toBeLessThanOrEqual(calls.length / 6);
  });
});
