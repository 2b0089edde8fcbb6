import { expectCostBelow } from "@toolcontract/case-table/cost";
import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { aggregate } from "./aggregate.ts";
import { type Finding, comparePaths } from "../shared/index.ts";

const missing = (...path: (string | number)[]): Finding => ({
  code: "VAL-001",
  path,
  expected: { kind: "type", type: "string" },
});

describe("aggregate", () => {
  test("keeps the errors of all sources", () => {
    const findings: Finding[] = [
      missing("b"),
      { code: "VAL-016", path: ["a"], message: "too late" },
      { code: "VAL-005", path: ["c"] },
    ];
    expect(aggregate(findings).map(({ code }) => code)).toEqual(["VAL-016", "VAL-001", "VAL-005"]);
  });

  test("tells identical errors once: same place, code and expectation", () => {
    expect(aggregate([missing("a"), missing("a"), missing("a")])).toHaveLength(1);
    expect(
      aggregate([missing("a"), { ...missing("a"), expected: { kind: "type", type: "integer" } }]),
    ).toHaveLength(2);
  });

  test("sorts by path: segments one by one, indexes as numbers, names by code unit", () => {
    const paths = [["items", 10], ["items", 9], ["Z"], ["a", "b"], ["a"], []] as const;
    const sorted = aggregate(paths.map((path) => missing(...path))).map(({ path }) =>
      path.join("/"),
    );
    expect(sorted).toEqual(["", "Z", "a", "a/b", "items/9", "items/10"]);
  });

  test("puts errors before warnings, and warnings before remarks", () => {
    const findings: Finding[] = [
      { ...missing("a"), severity: "info" },
      { ...missing("b"), severity: "warning" },
      { ...missing("c"), severity: "error" },
    ];
    expect(aggregate(findings).map(({ path }) => path[0])).toEqual(["c", "b", "a"]);
  });

  test("one fault of a value per place: the type silences the rest", () => {
    const at = (code: Finding["code"]): Finding => ({
      code,
      path: ["mode"],
      expected: { kind: "type", type: "integer" },
    });
    expect(
      aggregate([at("VAL-009"), at("VAL-007"), at("VAL-002"), at("VAL-003")]).map(
        ({ code }) => code,
      ),
    ).toEqual(["VAL-002"]);
  });

  test("a misspelt key absorbs the missing one", () => {
    const findings: Finding[] = [
      missing("path"),
      {
        code: "VAL-005",
        path: ["pth"],
        renameTo: "path",
        hint: { kind: "rename-to", name: "path" },
      },
    ];
    expect(aggregate(findings).map(({ code }) => code)).toEqual(["VAL-005"]);
  });

  test("two keys that may be the same field give no hint and absorb nothing", () => {
    const stray = (name: string): Finding => ({
      code: "VAL-005",
      path: [name],
      renameTo: "content",
      hint: { kind: "rename-to", name: "content" },
    });
    const told = aggregate([missing("content"), stray("contnet"), stray("contents")]);
    expect(told.map(({ code, hint }) => [code, hint])).toEqual([
      ["VAL-001", undefined],
      ["VAL-005", undefined],
      ["VAL-005", undefined],
    ]);
  });

  test("any order of the same findings gives the same list", () => {
    const findings = fc.array(
      fc.record({
        code: fc.constantFrom("VAL-001" as const, "VAL-002" as const, "VAL-009" as const),
        path: fc.array(fc.oneof(fc.nat(3), fc.constantFrom("a", "b")), { maxLength: 2 }),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(findings, (list) => {
        expect(aggregate(list.toReversed())).toEqual(aggregate(list));
      }),
    );
  });

  test("aggregates ten errors in under 100 microseconds", async () => {
    const findings = Array.from({ length: 10 }, (_, index) => missing("items", 9 - index, "path"));
    await expectCostBelow(100, () => {
      for (let round = 0; round < 1_000; round += 1) aggregate(findings);
    });
  });

  test("comparing paths is a total order", () => {
    const paths = fc.array(fc.oneof(fc.nat(20), fc.string({ maxLength: 3 })), { maxLength: 3 });
    fc.assert(
      fc.property(paths, paths, (a, b) => {
        expect(Math.sign(comparePaths(a, b)) + Math.sign(comparePaths(b, a))).toBe(0);
      }),
    );
  });
});
