import { describe, expect, test } from "vitest";
import { CASES } from "./cases.ts";
import { needsOf } from "./capability.ts";

const calls = CASES.flatMap(({ turns }) => turns.flatMap((turn) => turn.calls));
const refusals = calls.flatMap(({ expected }) => (expected.outcome === "executed" ? [] : expected));

describe("the table of cases", () => {
  test("names every case once, and every call of a case once", () => {
    const names = CASES.map((testCase) => testCase.name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    for (const { turns } of CASES) {
      const ids = turns.flatMap((turn) => turn.calls.map((call) => call.id));
      expect([...new Set(ids)]).toEqual(ids);
    }
  });

  test("is data that can be sent to another process, except rules, stages and guardrails", () => {
    for (const { options, guarded: _guarded, ...testCase } of CASES) {
      const { rules: _rules, guardrails: _stage, ...plain } = options ?? {};
      expect(JSON.parse(JSON.stringify({ ...testCase, plain }))).toEqual({ ...testCase, plain });
    }
  });

  test("has every code, every capability and the six scenarios", () => {
    const codes = new Set(
      refusals.flatMap(({ codes: places }) => places.map((place) => place.slice(0, 7))),
    );
    const codesOf = (prefix: string, length: number): readonly string[] =>
      Array.from({ length }, (_, index) => `${prefix}-${String(index + 1).padStart(3, "0")}`);
    const ofGuardrails = codesOf("GRD", 5).filter((code) => code !== "GRD-004");
    expect([...codes].toSorted()).toEqual([...ofGuardrails, ...codesOf("VAL", 16)]);
    expect([...new Set(CASES.flatMap(needsOf))].toSorted()).toEqual([
      "advisories",
      "finishReason",
      "guardrails",
      "rawText",
      "rules",
      "stages",
      "turns",
      "unknownTools",
      "userMessages",
    ]);
    const scenarios = CASES.flatMap(({ name }) => /^Scenario \d/.exec(name) ?? []);
    expect(scenarios).toEqual([1, 2, 3, 4, 5, 6].map((number) => `Scenario ${number}`));
  });

  test("has the whole message of most cases, in both styles", () => {
    expect(CASES.length).toBeGreaterThanOrEqual(60);
    expect(refusals.filter(({ text }) => text !== undefined).length).toBeGreaterThanOrEqual(60);
    expect(refusals.filter(({ compact }) => compact !== undefined).length).toBeGreaterThanOrEqual(
      50,
    );
  });
});
