import { oneInThree } from "@toolcontract/case-table/whole";
import { describe, expect, test } from "vitest";
import { type ValidationError, createContract } from "@toolcontract/core";
import { corpusCall } from "../corpus.ts";
import { followHints } from "@toolcontract/corrections";
import { countHints, measureHints } from "./measure.ts";
import { MODEL_FAULTS } from "./model-faults.ts";
import { readToolCalls } from "./tool-calls.ts";

const contract = createContract({ logger: () => undefined, unwrapStrings: false });

describe.each([
  ["seen", 0],
  ["held out", 1],
])("tools that the rules of the hints were not made from, %s", (_, half) => {
  test("95 % of the near misses get a hint that is right, at most 0.5 % of the hints are wrong", () => {
    const calls = oneInThree(readToolCalls().filter((_call, index) => index % 2 === half));
    const { slips, right, wrong } = countHints(measureHints(calls));
    expect(slips).toBeGreaterThan(700);
    expect(right / slips).toBeGreaterThanOrEqual(0.95);
    expect(wrong / (right + wrong)).toBeLessThanOrEqual(0.005);
  });
});

describe("faults as models make them", () => {
  const objects = MODEL_FAULTS.filter(({ sent }) => typeof sent !== "string");
  /** What nobody can follow within the same call. */
  const advice = [
    "use a date that exists",
    "one value only: call the tool once for each",
    "one value only",
    "send one string, not an array",
    "no such option: if the call needs it, ask the user",
  ];

  test("there are many, and every one is refused", () => {
    expect(MODEL_FAULTS.length).toBeGreaterThanOrEqual(70);
    const accepted = MODEL_FAULTS.filter(
      ({ tool, sent }) => contract.check(tool, sent).status === "valid",
    );
    expect(accepted.map(({ kind }) => kind)).toEqual([]);
  });

  test.each(objects.map((slip) => [slip.kind, slip] as const))(
    "a call with %s is valid once all of its hints are followed",
    (_, { tool, sent }) => {
      const result = contract.check(tool, sent);
      const errors = result.status === "valid" ? [] : result.errors;
      const isLiteral = ({ hint }: ValidationError): boolean =>
        hint !== undefined && !advice.includes(hint);
      const left = errors.filter((error) => !isLiteral(error)).map(({ fieldPath }) => fieldPath);
      const again = contract.check(tool, followHints(sent, errors) ?? sent);
      const found = again.status === "valid" ? [] : again.errors.map(({ fieldPath }) => fieldPath);
      expect(found.filter((pointer) => !left.includes(pointer))).toEqual([]);
    },
  );

  test("a list of two paths for one path stays, with the advice to call the tool once for each", () => {
    const slip = objects.find(({ kind }) => kind === "a list of two paths");
    if (slip === undefined) throw new Error("no such fault");
    const result = contract.check(slip.tool, slip.sent);
    const errors = result.status === "valid" ? [] : result.errors;
    const hint = "one value only: call the tool once for each";
    expect(errors).toMatchObject([{ errorCode: "VAL-002", fieldPath: "/path", hint }]);
    expect(followHints(slip.sent, errors)).toEqual(slip.sent);
  });
});

test("every tool of the set accepts its own call", () => {
  const refused = readToolCalls().filter(
    ({ tool, args }) => contract.check(tool, args).status !== "valid",
  );
  expect(refused.map(({ tool }) => tool.name)).toEqual([]);
});

const { tool } = corpusCall(
  {
    name: "find",
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string" },
        limit: { type: "integer" },
        tags: { type: "array", items: { type: "string" } },
        order: { enum: ["newest", "oldest"] },
      },
      required: ["query"],
      additionalProperties: false,
    },
  },
  {},
);

test.each<readonly [string, unknown, unknown]>([
  ["rename", { qurey: "a" }, { query: "a" }],
  ["use", { query: "a", order: "Newest" }, { query: "a", order: "newest" }],
  ["without quotes", { query: "a", limit: "5" }, { query: "a", limit: 5 }],
  ["leave out", { query: "a", reason: "x" }, { query: "a" }],
  ["wrap", { query: "a", tags: "b" }, { query: "a", tags: ["b"] }],
  ["unwrap", { query: "a", tags: { items: ["b"] } }, { query: "a", tags: ["b"] }],
  ["an example of an array", { query: "a", tags: "b, c" }, { query: "a", tags: ["b", "c"] }],
  ["JSON in a string", { query: "a", tags: '["b"]' }, { query: "a", tags: ["b"] }],
  ["one level up, after a rename", { args: { qurey: "a", limit: 5 } }, { query: "a", limit: 5 }],
  ["one level up from a string", { args: '{"query":"a"}' }, { query: "a" }],
  ["no hint", { query: "a", limit: "many" }, undefined],
])("a hint is followed to the letter: %s", (_, sent, meant) => {
  const result = contract.check(tool, sent);
  const errors = result.status === "valid" ? [] : result.errors;
  expect(followHints(sent, errors)).toEqual(meant);
});
