import { countCost } from "@toolcontract/case-table/cost";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compilePattern } from "./compile-pattern.ts";
import { patternCost } from "./cost.ts";
import { type PatternNode, readPattern } from "./syntax.ts";

describe("patternCost", () => {
  test("is never below the steps of a backtracking matcher that finds no match", () => {
    fc.assert(
      fc.property(
        expressions(),
        fc.string({ unit: fc.constantFrom("a", "b", " "), maxLength: 12 }),
        (source, text) => {
          const cost = patternCost(source, "u")(text.length);
          expect(cost).toBeGreaterThanOrEqual(stepsOf(source, text));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("keeps the runtime's engine fast on every string it allows", () => {
    const pumps = fc.string({
      unit: fc.constantFrom("a", "b", " ", "é"),
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(expressions(), pumps, fc.constantFrom("", "!", "\n"), (source, pump, tail) => {
        const pattern = compilePattern(source);
        const length = Math.min(pattern.maxLength, 2_000);
        const text = (pump.repeat(Math.max(0, length)) + tail).slice(-Math.max(1, length));
        const cost = countCost();
        expect(typeof pattern.test(text)).toBe("boolean");
        expect(cost()).toBeLessThan(2_000);
      }),
      { numRuns: 1_000 },
    );
  });
});

/** Expressions with every cause of slowness: nested, nullable, overlapping, lookarounds and backreferences. */
function expressions(): fc.Arbitrary<string> {
  const atoms = [
    "a",
    "b",
    ".",
    "[ab]",
    "[^a]",
    String.raw`\w`,
    String.raw`\s`,
    String.raw`\b`,
    "",
    "(?:)",
  ];
  const quantifiers = [
    "*",
    "+",
    "?",
    "*?",
    "+?",
    "{2}",
    "{0,3}",
    "{2,}",
    "{1,40}",
    "{30}",
    "{40,}",
  ];
  const openers = ["(?:", "(", "(?=", "(?!", "(?<=", "(?<!"];
  const { expression } = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.constantFrom(...atoms),
      fc.array(tie("expression"), { minLength: 2, maxLength: 3 }).map((parts) => parts.join("")),
      fc
        .array(tie("expression"), { minLength: 2, maxLength: 3 })
        .map((parts) => `(?:${parts.join("|")})`),
      fc
        .tuple(tie("expression"), fc.constantFrom(...quantifiers))
        .map(([body, quantifier]) => `(?:${body})${quantifier}`),
      fc
        .tuple(fc.constantFrom(...openers), tie("expression"))
        .map(([opener, body]) => `${opener}${body})`),
    ),
  }));
  return fc
    .tuple(
      fc.constantFrom("", "^", "(a|b)"),
      expression,
      fc.constantFrom("", "$", String.raw`(a*)\1`),
    )
    .map((parts) => parts.join(""))
    .filter((source) => compiles(source));
}

function compiles(source: string): boolean {
  try {
    return new RegExp(source, "u").unicode;
  } catch {
    return false;
  }
}

type Next = (at: number) => boolean;

const EMPTY: PatternNode = { kind: "sequence", nodes: [] };
const ENOUGH = 100_000;
const DEEP_ENOUGH = 1_000;

/** Counts the characters that backtracking reads if nothing matches, up to a limit. */
function stepsOf(source: string, text: string): number {
  let steps = 0;
  let visits = 0;
  let depth = 0;
  const tree = readPattern(source, "u") ?? EMPTY;

  function reads(node: PatternNode & { kind: "character" }, at: number): boolean {
    steps += 1;
    const character = text[at];
    return character !== undefined && new RegExp(`^${node.source}$`, "us").test(character);
  }

  function run(node: PatternNode, at: number, behind: boolean, next: Next): boolean {
    visits += 1;
    if (visits > ENOUGH || depth > DEEP_ENOUGH) return false;
    depth += 1;
    const matched = runNode(node, at, behind, next);
    depth -= 1;
    return matched;
  }

  function runNode(node: PatternNode, at: number, behind: boolean, next: Next): boolean {
    switch (node.kind) {
      case "assertion":
        return (!node.start || at === 0) && next(at);
      case "character":
        return behind ? reads(node, at - 1) && next(at - 1) : reads(node, at) && next(at + 1);
      case "sequence": {
        const nodes = behind ? node.nodes : node.nodes.toReversed();
        return nodes.reduce<Next>(
          (after, part) => (here) => run(part, here, behind, after),
          next,
        )(at);
      }
      case "choice":
        return node.nodes.some((choice) => run(choice, at, behind, next));
      case "repeat":
        return round(node, at, behind, next);
      case "lookaround":
        run(node.node, at, node.behind, () => true);
        return next(at);
    }
  }

  /** Only rounds beyond the minimum may not be empty, as the standard defines. */
  function round(
    node: PatternNode & { kind: "repeat" },
    at: number,
    behind: boolean,
    next: Next,
  ): boolean {
    if (node.max === 0) return next(at);
    const rest = { ...node, min: Math.max(0, node.min - 1), max: node.max - 1 };
    const again = run(node.node, at, behind, (after) =>
      node.min === 0 && after === at ? false : round(rest, after, behind, next),
    );
    return again || (node.min === 0 && next(at));
  }

  for (let start = 0; start <= text.length; start += 1) run(tree, start, false, () => false);
  return steps;
}
