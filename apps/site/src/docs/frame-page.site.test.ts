import { globSync } from "node:fs";
import { expect } from "vitest";
import { test } from "../testing/browser-test.ts";
import { TESTED } from "../testing/build-site.ts";
import { servePage } from "../testing/serve-page.ts";

const [FRAME = ""] = globSync("assets/frame-*.html", { cwd: TESTED });

/** Frames the page of the site twice, hands code to both, and says which one ran it. */
const framing = (
  address: string,
): string => `<meta http-equiv="Content-Security-Policy" content="script-src 'unsafe-inline'">
<output></output><script type="module">
  const started = ["", "allow-scripts"].map(async (sandbox) => {
    const frame = document.createElement("iframe");
    if (sandbox !== "") frame.sandbox = sandbox;
    frame.src = ${JSON.stringify(address)};
    const loaded = new Promise((done) => frame.addEventListener("load", done));
    document.body.append(frame);
    await loaded;
    return { frame, name: sandbox === "" ? "without" : "with" };
  });
  const frames = await Promise.all(started);
  addEventListener("message", ({ source }) => {
    const { name } = frames.find(({ frame }) => frame.contentWindow === source);
    document.querySelector("output").append(\`\${name} a sandbox; \`);
  });
  for (const { frame } of frames)
    frame.contentWindow.postMessage("self.postMessage(1)", "*", [new MessageChannel().port1]);
</script>`;

test("code that another site hands to the frame does not run in the site's origin", async ({
  browser,
  origin,
}) => {
  const other = await servePage({ "index.html": framing(`${origin}/${FRAME}`) });
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(other.origin);
    const text = () => page.locator("output").textContent();
    await expect.poll(text).toContain("with a sandbox");
    expect(await text()).not.toContain("without a sandbox");
  } finally {
    await context.close();
    await other.close();
  }
});
