import { describe, expect } from "vitest";
import { test } from "./browser-test.ts";
import { servePage } from "./serve-page.ts";
import { watchContext } from "./watch-context.ts";

const WORKERS = {
  "throws.js": "throw new Error('lost')",
  "evals.js": "try { eval('1') } catch {}",
  "fetches.js": "fetch('https://example.com/').catch(() => {})",
};

describe("what goes wrong on a page is noticed", () => {
  test.for([
    ["an error in the console", "console.error('broken')", "console: broken"],
    ["an uncaught error", "throw new Error('lost')", "uncaught: lost"],
    ["a rejection that nobody handles", "Promise.reject(new Error('lost'))", "uncaught: lost"],
    ["an error in a worker", "new Worker('/throws.js')", "uncaught: lost"],
    ["a missing file", "fetch('/nothing')", "console: Failed to load resource"],
    ["eval", "try { eval('1') } catch {}", "refused by script-src: eval"],
    ["eval in a worker", "new Worker('/evals.js')", "refused by script-src: eval"],
    ["another origin", "fetch('https://example.com/').catch(() => {})", "refused by connect-src"],
    ["another origin from a worker", "new Worker('/fetches.js')", "refused by connect-src"],
    [
      "a data URI",
      "document.body.innerHTML = '<img src=\"data:image/png;,\">'",
      "refused by img-src",
    ],
    ["a page elsewhere", "location.href = 'http://example.com/'", "request: http://example.com/"],
  ])("%s", async ([, script, expected], { browser }) => {
    const page = `<link rel="icon" href="/icon.svg"><body><script type="module">${script}</script>`;
    const server = await servePage({ "index.html": page, ...WORKERS });
    const context = await browser.newContext({ baseURL: server.origin });
    try {
      const faults = watchContext(context, server.origin);
      const opened = await context.newPage();
      await opened.goto("/");
      await expect.poll(() => faults.join("\n")).toContain(expected);
    } finally {
      await context.close();
      await server.close();
    }
  });
});
