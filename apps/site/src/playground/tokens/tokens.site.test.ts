import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { expect } from "vitest";
import { test } from "../../testing/browser-test.ts";
import { serveSite } from "../../testing/serve-site.ts";
import { watchContext } from "../../testing/watch-context.ts";

const PAGE = `<!doctype html><title>Tokens</title><link rel="icon" href="/icon.svg">
<script type="module">
  import { createTokenCounter, tokensInWords } from "/index.js";
  const counter = createTokenCounter(undefined, () => new Worker("/count.worker.js", { type: "module" }));
  const words = async (text) => tokensInWords(await counter.count(text));
  const shown = [await words("hello world"), await words("a".repeat(1e6)), await words("The end. ".repeat(2e4))];
  window.shown = shown;
</script>`;

test("tokens are counted in a worker under the policy of the site", async ({ browser }) => {
  const folder = mkdtempSync(join(tmpdir(), "tokens-"));
  const entryPoints = ["index.ts", "count.worker.ts"].map((name) =>
    join(import.meta.dirname, name),
  );
  await build({ entryPoints, outdir: folder, bundle: true, format: "esm" });
  writeFileSync(join(folder, "index.html"), PAGE);
  writeFileSync(join(folder, "icon.svg"), "<svg xmlns='http://www.w3.org/2000/svg'/>");
  const server = await serveSite(folder);
  const context = await browser.newContext({ baseURL: server.origin });
  try {
    const faults = watchContext(context, server.origin);
    const page = await context.newPage();
    await page.goto("/");
    await expect
      .poll(() => page.evaluate(() => Reflect.get(window, "shown")))
      .toEqual(["2 tokens", "more than 7,812 tokens", "more than 33,956 tokens"]);
    expect(faults).toEqual([]);
  } finally {
    await context.close();
    await server.close();
    rmSync(folder, { recursive: true });
  }
});
