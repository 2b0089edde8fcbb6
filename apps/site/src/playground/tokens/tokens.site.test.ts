import { join } from "node:path";
import { expect } from "vitest";
import { testOn } from "../../testing/browser-test.ts";
import { servePage } from "../../testing/serve-page.ts";

const PAGE = `<!doctype html><title>Tokens</title><link rel="icon" href="/icon.svg">
<script type="module">
  import { createTokenCounter, tokensInWords } from "/index.js";
  const counter = createTokenCounter();
  const words = async (text) => tokensInWords(await counter.count(text));
  const shown = [await words("hello world"), await words("a".repeat(1e6)), await words("The end. ".repeat(2e4))];
  window.shown = shown;
</script>`;

const MODULES = ["index.ts", "count.worker.ts"].map((name) => join(import.meta.dirname, name));

const test = testOn(() => servePage({ "index.html": PAGE }, MODULES));

test("tokens are counted in a worker under the policy of the site", async ({ open }) => {
  const page = await open("/");
  await expect
    .poll(() => page.evaluate(() => Reflect.get(window, "shown")))
    .toEqual(["2 tokens", "more than 7,812 tokens", "more than 33,956 tokens"]);
});
