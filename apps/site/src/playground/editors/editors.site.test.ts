import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { isWhole } from "@toolcontract/case-table/whole";
import axe, { type AxeResults } from "axe-core";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { testOn } from "../../testing/browser-test.ts";
import { pasteOverAll } from "../../testing/paste-over-all.ts";
import { servePage } from "../../testing/serve-page.ts";
import type { Editor } from "./index.ts";

const SCHEMA = {
  required: ["query"],
  properties: {
    query: { type: "string", description: "What to <b>find</b>" },
    mode: { enum: ["fast", "deep"] },
    exact: { type: "boolean" },
  },
};

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Editors</title>
<link rel="icon" href="/icon.svg"><link rel="stylesheet" href="/vars.css">
<style>body { background: var(--vp-c-bg); color: var(--vp-c-text-1) }</style>
<main><h1>Editors</h1><div id="one"></div><div id="two"></div><button>After</button></main>
<script type="module">
  import { createEditor } from "/index.js";
  window.reported = [];
  const open = (id, label, completes) => createEditor({
    parent: document.getElementById(id), label, completes, text: "{}",
    onChange: (text) => window.reported.push({ label, text }),
  });
  window.editors = { Tool: open("one", "Tool", "json-schema"), Call: open("two", "Call", "arguments") };
</script>`;

declare global {
  interface Window {
    editors: Record<"Tool" | "Call", Editor>;
    reported: { readonly label: string; readonly text: string }[];
  }
}

interface Fixtures {
  /** Opens a page with both editors under the policy of the site. */
  readonly openEditors: (options?: BrowserContextOptions) => Promise<Page>;
}

const VARS = createRequire(import.meta.url).resolve(
  "vitepress/dist/client/theme-default/styles/vars.css",
);

const test = testOn(() =>
  servePage({ "index.html": PAGE, "vars.css": readFileSync(VARS, "utf8") }, [
    join(import.meta.dirname, "index.ts"),
  ]),
).extend<Fixtures>({
  openEditors: async ({ open }, use) => {
    await use(async (options) => {
      const page = await open("/", options);
      await page.waitForFunction(() => "editors" in window);
      return page;
    });
  },
});

const editor = (page: Page, label: "Tool" | "Call"): Locator =>
  page.getByRole("textbox", { name: label, exact: true });

const note = (page: Page, label: "Tool" | "Call"): Locator =>
  page.locator(".cm-editor", { has: editor(page, label) }).locator(".cm-note");

const focused = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? null);

const lastReported = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => window.reported.at(-1)?.text);

const options = (page: Page): Promise<string[]> =>
  page.locator(".cm-completionLabel").allTextContents();

const fillCall = (page: Page, piece: string, times: number): Promise<void> =>
  page.evaluate(
    ({ piece: each, times: count }) => window.editors.Call.setText(each.repeat(count)),
    { piece, times },
  );

/** What axe finds in the light theme, and with the colors of the dark one. */
async function violations(page: Page): Promise<string[]> {
  await page.addScriptTag({ content: axe.source });
  const found = await page.evaluate<AxeResults[]>(`(async () => {
    const light = await axe.run();
    document.documentElement.className = "dark";
    const dark = await axe.run({ runOnly: ["color-contrast"] });
    document.documentElement.className = "";
    return [light, dark];
  })()`);
  return found
    .flatMap((results) => results.violations)
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

describe("the keyboard", () => {
  test("Tab leaves an editor, and Mod-] indents", async ({ openEditors }) => {
    const page = await openEditors();
    await editor(page, "Tool").focus();
    await page.keyboard.press("Control+]");
    expect(await lastReported(page)).toBe("  {}");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Call");
    await page.keyboard.press("Shift+Tab");
    expect(await focused(page)).toBe("Tool");
    expect(await note(page, "Tool").textContent()).toContain("Tab leaves the editor");
  });

  test("what is typed is reported as it is, cut or not", async ({ openEditors }) => {
    const page = await openEditors();
    await page.evaluate((schema) => window.editors.Call.setSchema(schema), SCHEMA);
    await editor(page, "Call").fill("");
    const typed = '{"mode": "fast", "exact": tr';
    await page.keyboard.type(typed);
    expect(await lastReported(page)).toBe(typed);
    await page.locator(".cm-tooltip-autocomplete").waitFor();
    await page.keyboard.press("Enter");
    expect((await lastReported(page))?.trimEnd()).toBe(typed);
  });

  test("a selection that the browser loses just after the focus is set again", async ({
    openEditors,
  }) => {
    const page = await openEditors();
    const selected = await editor(page, "Call").evaluate((element) => {
      element.focus();
      getSelection()?.selectAllChildren(element);
      document.dispatchEvent(new Event("selectionchange"));
      // As when a fault is marked: the browser loses what it cannot find in the lines that are drawn anew.
      getSelection()?.collapse(element, 0);
      window.editors.Call.setLanguage("zod");
      return getSelection()?.toString();
    });
    expect(selected).toBe("{}");
    await page.keyboard.type("[");
    expect(await lastReported(page)).toBe("[");
  });

  test("names and values are completed: an arrow chooses, Enter accepts, Escape closes", async ({
    openEditors,
  }) => {
    const page = await openEditors();
    await page.evaluate((schema) => window.editors.Call.setSchema(schema), SCHEMA);
    await editor(page, "Call").fill("{");
    await page.keyboard.type('"');
    await expect.poll(() => options(page)).toEqual(["query", "mode", "exact"]);
    await page.keyboard.press("ArrowDown");
    await page.getByText("What to <b>find</b>").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(await lastReported(page)).toBe('{"mode": ');
    await page.keyboard.press("Control+Space");
    await expect.poll(() => options(page)).toEqual(['"fast"', '"deep"']);
    await page.keyboard.press("ArrowDown");
    await page.getByRole("option", { selected: true }).waitFor();
    await page.keyboard.press("Enter");
    expect(await lastReported(page)).toBe('{"mode": "fast"');
    await page.keyboard.type(", ");
    await page.keyboard.press("Control+Space");
    await expect.poll(() => options(page)).toEqual(['"query"', '"exact"']);
    await page.keyboard.press("Escape");
    await expect.poll(() => options(page)).toEqual([]);
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("After");
  });

  test("the keywords of JSON Schema are completed", async ({ openEditors }) => {
    const page = await openEditors();
    await editor(page, "Tool").fill('{"properties": {"a": {"ty');
    await page.keyboard.type("p");
    await expect.poll(() => options(page)).toContain("type");
  });

  test("Mod-f loads the search, and Escape gives the focus back", async ({ openEditors }) => {
    const page = await openEditors();
    const files: string[] = [];
    page.on("request", (request) => files.push(request.url()));
    await editor(page, "Call").fill('{"a": "needle"}');
    await page.keyboard.press("Control+f");
    await page.getByRole("textbox", { name: "Find" }).pressSequentially("needle");
    expect(files).toHaveLength(1);
    await page.locator(".cm-searchMatch").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => focused(page)).toBe("Call");
  });
});

describe("a fault", () => {
  test("is marked, put in words and announced, and F8 goes there", async ({ openEditors }) => {
    const page = await openEditors();
    await page.evaluate(() => {
      const announced: string[] = [];
      const live = document.querySelectorAll(".cm-announced")[1];
      new MutationObserver(() => announced.push(live?.textContent ?? "")).observe(
        live ?? document,
        { childList: true },
      );
      Object.assign(window, { announced });
    });
    await editor(page, "Call").fill('{"a": 1,}');
    await page.locator(".cm-lintRange").waitFor();
    const words = "Line 1, column 9: JSON has no comma before }.";
    expect(await note(page, "Call").textContent()).toBe(words);
    const described = await editor(page, "Call").getAttribute("aria-describedby");
    expect(await page.locator(`#${described}`).textContent()).toBe(words);
    expect(await editor(page, "Call").getAttribute("aria-invalid")).toBe("true");
    await expect.poll(() => page.evaluate(() => Reflect.get(window, "announced"))).toContain(words);
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("F8");
    await page.keyboard.type(" ");
    expect(await lastReported(page)).toBe('{"a": 1, ');
    await page.keyboard.type("}");
    await editor(page, "Call").fill('{"a": 1}');
    await expect.poll(() => page.locator(".cm-lintRange").count()).toBe(0);
    expect(await editor(page, "Call").getAttribute("aria-invalid")).toBe("false");
  });

  test("is underlined without an image, which the policy would refuse", async ({ openEditors }) => {
    const page = await openEditors();
    await editor(page, "Call").fill("[1 2]");
    const mark = page.locator(".cm-lintRange");
    await mark.waitFor();
    const style = await mark.evaluate((element) => {
      const { backgroundImage, textDecorationStyle } = getComputedStyle(element);
      return { backgroundImage, textDecorationStyle };
    });
    expect(style).toEqual({ backgroundImage: "none", textDecorationStyle: "wavy" });
    await mark.hover();
    await page.locator(".cm-tooltip-lint").waitFor();
  });

  test("of the page is shown until the page takes it back", async ({ openEditors }) => {
    const page = await openEditors();
    await page.evaluate(() => window.editors.Tool.setFault("Not a schema: <b>no</b>"));
    expect(await note(page, "Tool").textContent()).toBe("Not a schema: <b>no</b>");
    expect(await editor(page, "Tool").getAttribute("aria-invalid")).toBe("true");
    await page.evaluate(() => window.editors.Tool.setFault(undefined));
    expect(await note(page, "Tool").textContent()).toContain("Tab leaves");
  });
});

describe("text set by the program", () => {
  test("is not reported, keeps the cursor, and is undone by the user", async ({ openEditors }) => {
    const page = await openEditors();
    await editor(page, "Call").fill('{"a": 1}');
    await page.keyboard.press("ArrowLeft");
    await page.evaluate(() => {
      window.reported.length = 0;
      window.editors.Call.setText('{"before": true, "a": 1}');
    });
    expect(await page.evaluate(() => window.reported)).toEqual([]);
    await page.keyboard.type("0");
    expect(await lastReported(page)).toBe('{"before": true, "a": 10}');
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    expect(await lastReported(page)).toBe('{"a": 1}');
    await page.keyboard.press("Control+y");
    expect(await lastReported(page)).toBe('{"before": true, "a": 1}');
  });

  test("keeps its line ends, and invisible characters are seen", async ({ openEditors }) => {
    const page = await openEditors();
    await page.evaluate(() => window.editors.Call.setText('{"a":\r\n"\u202e\u0000"}'));
    await expect.poll(() => page.locator(".cm-specialChar").count()).toBe(3);
    await editor(page, "Call").focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" ");
    expect(await lastReported(page)).toBe('{"a":\r\n"\u202e\u0000"} ');
  });

  test("may be zod, whose colors are loaded then", async ({ openEditors }) => {
    const page = await openEditors();
    const files: string[] = [];
    page.on("request", (request) => files.push(request.url()));
    await page.evaluate(() => {
      window.editors.Tool.setLanguage("zod");
      window.editors.Tool.setText("z.object({ a: z.string() })");
    });
    await expect.poll(() => files.length).toBeGreaterThan(0);
    await editor(page, "Tool").focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(".descr");
    await expect.poll(() => options(page)).toEqual(["describe"]);
    await page.evaluate(() => {
      window.editors.Tool.setLanguage("json");
      window.editors.Tool.setText("[1");
    });
    await page.locator(".cm-lintRange").waitFor();
  });
});

/** Characters that are more than an editor colors and checks. */
const MANY = isWhole ? 9_999_999 : 1_200_000;

describe("hostile text", () => {
  test.for([
    ["a very long line", "x", MANY],
    ["a great many lines", "1,\n", Math.floor(MANY / 3)],
    ["nothing but brackets", "[", MANY],
  ] as const)(
    "%s is edited without colors and checks, and the note says so",
    async ([, piece, times], { openEditors }) => {
      const page = await openEditors();
      await fillCall(page, piece, times);
      expect(await note(page, "Call").textContent()).toContain("Longer than 1,000,000 characters");
      await editor(page, "Call").focus();
      await page.keyboard.type("ab");
      expect(await page.evaluate(() => window.reported.at(-1)?.text.length)).toBe(
        piece.length * times + 2,
      );
      await page.evaluate(() => window.editors.Call.setText("[1"));
      await page.locator(".cm-lintRange").waitFor();
    },
  );

  test("a byte order mark is not pasted with the text of a file", async ({ openEditors }) => {
    const page = await openEditors();
    await editor(page, "Call").fill("");
    expect(await editor(page, "Call").evaluate(pasteOverAll, '\uFEFF["\uFEFF"]')).toBe(true);
    expect(await lastReported(page)).toBe('["\uFEFF"]');
  });

  test("megabytes can be pasted", async ({ openEditors }) => {
    const page = await openEditors();
    await editor(page, "Call").fill("");
    expect(await editor(page, "Call").evaluate(pasteOverAll, `[\r\n"${"x".repeat(MANY)}"]`)).toBe(
      true,
    );
    expect(await page.evaluate(() => window.reported.at(-1)?.text.length)).toBe(MANY + 5);
  });

  test.for([
    ["brackets", "["],
    ["invisible characters", "\u202e"],
    ["quotes", '"'],
  ] as const)("a text of %s that is checked can be edited", async ([, piece], { openEditors }) => {
    const page = await openEditors();
    await fillCall(page, piece, 900_000);
    await expect.poll(() => note(page, "Call").textContent()).toMatch(/^Line 1, column \d+: /);
    await editor(page, "Call").focus();
    await page.keyboard.type("ab");
    expect(await page.evaluate(() => window.reported.at(-1)?.text.length)).toBe(900_002);
  });

  test("markup is text, in the editor, in the schema and in faults", async ({ openEditors }) => {
    const page = await openEditors();
    const markup = "<img src=x onerror=alert(1)>";
    await page.evaluate((html) => {
      window.editors.Call.setSchema({ properties: { [html]: { type: html, description: html } } });
      window.editors.Call.setText(`{${html}`);
      window.editors.Tool.setFault(html);
    }, markup);
    await page.locator(".cm-lintRange").waitFor();
    await editor(page, "Call").fill("{");
    await page.keyboard.press("Control+Space");
    await expect.poll(() => options(page)).toEqual([JSON.stringify(markup)]);
    await page.keyboard.press("ArrowDown");
    await page.locator(".cm-completionInfo").waitFor();
    expect(await page.locator("img").count()).toBe(0);
  });
});

describe("in both themes and on a narrow screen", () => {
  test("every state is accessible, and nothing scrolls sideways", async ({ openEditors }) => {
    const page = await openEditors({ viewport: { width: 360, height: 740 } });
    await page.evaluate(() => window.editors.Tool.setFault("Not a schema"));
    const all =
      '{"text": "x", "number": 1, "bool": true, "null": null, "long": "' +
      "word".repeat(80) +
      '", ]';
    await page.evaluate((text) => window.editors.Tool.setText(text), all);
    await page.evaluate((schema) => window.editors.Call.setSchema(schema), SCHEMA);
    await page.locator(".cm-lintRange").waitFor();
    expect(await violations(page)).toEqual([]);
    await editor(page, "Tool").focus();
    await page.keyboard.press("Control+f");
    await page.getByRole("textbox", { name: "Find" }).pressSequentially("word");
    await page.locator(".cm-searchMatch").first().waitFor();
    expect(await violations(page)).toEqual([]);
    await editor(page, "Call").fill("{");
    await page.keyboard.press("Control+Space");
    await expect.poll(() => options(page)).toHaveLength(3);
    await page.keyboard.press("ArrowDown");
    await page.getByRole("option", { selected: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await page.keyboard.press("Escape");
    const outline = await editor(page, "Call").evaluate(
      (element) => getComputedStyle(element.closest(".cm-editor") ?? element).outlineStyle,
    );
    expect(outline).toBe("solid");
    const names = await page
      .locator("[aria-label], label, button, input")
      .evaluateAll((elements) =>
        elements.map((element) => element.getAttribute("aria-label") ?? element.textContent ?? ""),
      );
    expect(names.filter((name) => /tool|call/i.test(name))).toEqual(["Tool", "Call"]);
  });
});
