import { countTokens } from "./count-tokens.ts";
import { describe, expect, test } from "vitest";
import { evaluatedTool } from "../../testing/evaluated-tool.ts";
import { replay } from "../engine/index.ts";
import { EXAMPLES } from "../examples/index.ts";
import { createTokenCounter } from "./index.ts";
import { keyOf } from "./key-of.ts";
import { knownCounts } from "./known-counts.ts";

/** What the page shows first of an example: the last turn, in either style. */
async function firstMessages(load: (typeof EXAMPLES)[number]["load"]): Promise<string[]> {
  const state = await load();
  const { turns } = await replay(state, ...evaluatedTool(state.tool));
  return Object.values(turns.at(-1)?.styles ?? {});
}

async function countExamples(): Promise<ReadonlyMap<string, number>> {
  const texts = (await Promise.all(EXAMPLES.map(({ load }) => firstMessages(load)))).flat();
  return new Map(texts.map((text) => [keyOf(text), countTokens(text).tokens]));
}

test("the known counts are those of the examples; `vitest run apps/site/src/playground/tokens -u` writes them", async () => {
  const json = `${JSON.stringify(Object.fromEntries(await countExamples()), null, 2)}\n`;
  await expect(json).toMatchFileSnapshot("known-counts.json");
});

describe("the page shows an example without the tokenizer", () => {
  test.each(EXAMPLES)("$id", async ({ load }) => {
    const counter = createTokenCounter(knownCounts, () => {
      throw new Error("a worker was started");
    });
    const texts = await firstMessages(load);
    expect(texts).toHaveLength(2);
    for (const text of texts) expect(counter.count(text)).toEqual(countTokens(text));
  });
});
