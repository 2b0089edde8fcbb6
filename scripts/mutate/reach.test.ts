import { describe, expect, test } from "vitest";
import { findMutants, type Mutant } from "./mutant.ts";
import { planTests, type Reach } from "./reach.ts";
import { takeSample } from "./sample.ts";

const FOLDER = "packages/core/src/attempts";

function mutantOf(text: string): Mutant {
  const [mutant] = findMutants(`${FOLDER}/history.ts`, text);
  if (mutant === undefined) throw new Error("no mutant");
  return mutant;
}

/** Each test with its milliseconds; all of them reach probe 1. */
function reachOf(tests: Readonly<Record<string, number>>, failing: readonly string[] = []): Reach {
  return {
    byProbe: new Map([[1, new Set(Object.keys(tests))]]),
    milliseconds: new Map(Object.entries(tests)),
    failing,
  };
}

describe("a mutant gets the tests that reach it", () => {
  const inFunction = mutantOf("function a() { return b; }");
  const own = `${FOLDER}/history.test.ts`;
  const beside = `${FOLDER}/lanes.test.ts`;
  const elsewhere = "packages/core/src/call/stage.test.ts";
  const other = "packages/mcp/src/gate.test.ts";

  test.each<[name: string, reach: Reach, budget: number, planned: readonly string[]]>([
    [
      "the nearest first",
      reachOf({ [other]: 1, [elsewhere]: 1, [beside]: 1, [own]: 1 }),
      100,
      [own, beside, elsewhere, other],
    ],
    [
      "the quickest of equally near ones first",
      reachOf({ [beside]: 9, [`${FOLDER}/together.test.ts`]: 2 }),
      100,
      [`${FOLDER}/together.test.ts`, beside],
    ],
    ["as far as the time goes", reachOf({ [own]: 60, [beside]: 60 }), 100, [own]],
    ["one in any case", reachOf({ [own]: 200 }), 100, [own]],
    ["not one that fails anyway", reachOf({ [own]: 1, [beside]: 1 }, [own]), 100, [beside]],
  ])("%s", (_, reach, budget, planned) => {
    expect(planTests(inFunction, 1, [1, 2], reach, budget)).toEqual(planned);
  });

  test("a place that runs while its file loads counts as reached with the file", () => {
    const reach = reachOf({ [own]: 1 });
    expect(planTests(mutantOf("const a = 1;"), 2, [1, 2], reach, 100)).toEqual([own]);
    expect(planTests(inFunction, 2, [1, 2], reach, 100)).toEqual([]);
    expect(planTests(mutantOf("const a = 1;"), 2, [2], reach, 100)).toEqual([]);
  });

  test("a place that runs while its file loads is shown last to tests that may have found it loaded", () => {
    const reach = {
      ...reachOf({ [other]: 1 }),
      milliseconds: new Map([
        [own, 1],
        [other, 1],
      ]),
    };
    expect(planTests(mutantOf("const a = 1;"), 1, [], reach, 100)).toEqual([other, own]);
    expect(planTests(inFunction, 1, [], reach, 100)).toEqual([other]);
  });
});

test("a sample is the same one for a seed, in order, and another one for another seed", () => {
  const items = Array.from({ length: 100 }, (_, index) => index);
  const sample = takeSample(items, 10, 1);
  expect(sample).toHaveLength(10);
  expect(sample).toEqual(sample.toSorted((a, b) => a - b));
  expect(takeSample(items, 10, 1)).toEqual(sample);
  expect(takeSample(items, 10, 2)).not.toEqual(sample);
  expect(takeSample(items, 1000, 1)).toEqual(items);
});
