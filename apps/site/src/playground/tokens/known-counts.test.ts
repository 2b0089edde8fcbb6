import { expect, test } from "vitest";
import { EMPTY_STATE } from "../state/index.ts";
import { replay } from "../engine/index.ts";
import { countTokens } from "./count-tokens.ts";
import { createTokenCounter } from "./index.ts";
import { keyOf } from "./key-of.ts";

/** What the model reads in either style when the page shows a state first. */
async function firstMessages(): Promise<string[]> {
  const replays = await Promise.all([EMPTY_STATE].map((state) => replay(state)));
  return replays.flatMap(({ turns }) => turns.flatMap(({ styles }) => Object.values(styles)));
}

test("the known counts are those of the examples; `vitest run apps/site/src/playground/tokens -u` writes them", async () => {
  const texts = await firstMessages();
  const counts = texts.map((text) => [keyOf(text), countTokens(text).tokens]);
  const json = `${JSON.stringify(Object.fromEntries(counts), null, 2)}\n`;
  await expect(json).toMatchFileSnapshot("known-counts.json");
});

test("they are counted without a worker", async () => {
  const counter = createTokenCounter(undefined, () => {
    throw new Error("a worker was started");
  });
  for (const text of await firstMessages()) expect(counter.count(text)).toEqual(countTokens(text));
});
