import { describe, expect, test } from "vitest";
import { applyMutant, findMutants } from "./mutant.ts";
import { Probes, withProbes } from "./probes.ts";

/** What each mutant makes of some code, by its kind. */
function changed(text: string): readonly string[] {
  return findMutants("a.ts", text).map(
    (mutant) => `${mutant.kind}: ${applyMutant(mutant, text).trim()}`,
  );
}

describe("mutants", () => {
  test.each<[text: string, ...mutants: string[]]>([
    [
      "if (a) b();",
      "branch removed: {}",
      "condition: if (!(a)) b();",
      "statement dropped: if (a) ;",
    ],
    ["a < b;", "statement dropped: ;", "boundary: a <= b;"],
    ["const a = b && c;", "logic: const a = b || c;"],
    ["const a = b ?? c;", "fallback dropped: const a = b;"],
    ["const a = b === c;", "operator: const a = b !== c;"],
    ["const a = b === 'c';", "operator: const a = b !== 'c';"],
    ["const a = 'b';", 'literal: const a = "";'],
    ["const a = 3;", "literal: const a = 4;"],
    ["const a = true;", "literal: const a = false;"],
    ["const a = { b };", "property dropped: const a = { ...undefined };"],
    ["const a = () => b;", "return: const a = () => undefined;"],
    ["function a() { return b; }", "return: function a() { return undefined; }"],
    ["function a() { return; }", "statement dropped: function a() { ; }"],
    ["const a = await b;", "await dropped: const a = b;"],
    ["throw a;", "statement dropped: ;"],
    ["const a = b ? c : d;", "condition: const a = !(b) ? c : d;"],
  ])("%s", (text, ...mutants) => {
    expect(changed(text).toSorted()).toEqual(mutants.toSorted());
  });

  test.each([
    "type A = 'a' | 1;",
    "interface A { b: 'c' }",
    'import { a } from "b";',
    'export * from "b";',
    "const a = undefined;",
    'const a = "";',
    "function a() { return undefined; }",
  ])("none in what does nothing at run time: %s", (text) => {
    expect(changed(text)).toEqual([]);
  });
});

describe("probes say which mutant a run reaches", () => {
  /** Runs code with a probe at each of its places. */
  function reached(text: string): readonly string[] {
    const probes = new Probes();
    const places = new Map(
      findMutants("a.ts", text).map((mutant) => [
        probes.numberOf(mutant),
        text.slice(mutant.place.start, mutant.place.end),
      ]),
    );
    const seen: string[] = [];
    globalThis.__reached = (probe) => seen.push(places.get(probe) ?? "");
    // oxlint-disable-next-line typescript/no-implied-eval -- The code is the test's own.
    new Function(withProbes(text, probes.of("a.ts")))();
    globalThis.__reached = undefined;
    return seen;
  }

  test.each<[text: string, ...places: string[]]>([
    ["let a = 1; if (a > 1) a = 2;", "let a = 1;", "if (a > 1) a = 2;"],
    ["if (1 > 0) { void 3; }", "if (1 > 0) { void 3; }", "void 3;"],
    ["if (1 > 0) void 3;", "if (1 > 0) void 3;", "void 3;"],
    ["const f = (a) => a + 1;", "const f = (a) => a + 1;"],
    ["[1].map((a) => a + 1);", "[1].map((a) => a + 1);", "a + 1"],
    [
      "[[1]].map((a) => a.map((b) => b + 1));",
      "[[1]].map((a) => a.map((b) => b + 1));",
      "a.map((b) => b + 1)",
      "b + 1",
    ],
  ])("%s", (text, ...places) => {
    expect(reached(text)).toEqual(places);
  });
});
