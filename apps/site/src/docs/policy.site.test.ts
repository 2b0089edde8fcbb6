import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { oneInThree } from "@toolcontract/case-table/whole";
import { describe, expect } from "vitest";
import { test } from "../testing/browser-test.ts";
import { TESTED } from "../testing/build-site.ts";
import { watchContext } from "../testing/watch-context.ts";
import { ROOT } from "./repository.ts";

const HTML = globSync("**/*.html", { cwd: TESTED }).toSorted();
/** The frame for the code of a tool, with a policy of its own. */
const FRAMES = HTML.filter((file) => file.startsWith("assets/"));
const PAGES = HTML.filter((file) => !FRAMES.includes(file));
const STATED =
  /^<!doctype html>\s*<html[^>]*>\s*<head>\s*<meta charset="utf-8">\s*<meta http-equiv="Content-Security-Policy" content="([^"]+)">/i;

/** What a page is allowed, with its hashes apart. */
function policyOf(file: string): { readonly policy: string; readonly hashes: readonly string[] } {
  const [, stated = "none"] = STATED.exec(readFileSync(join(TESTED, file), "utf8")) ?? [];
  const hashes = stated.match(/sha256-[^']+/g) ?? [];
  return { policy: stated.replaceAll(/sha256-[^']+/g, "sha256-…"), hashes };
}

/** What a page holds that runs, or that leads elsewhere, as the browser parses it. */
interface Active {
  readonly scripts: readonly { readonly id: string; readonly code: string }[];
  /** As `<a onclick>`. */
  readonly handlers: readonly string[];
  readonly links: readonly string[];
  readonly elements: readonly string[];
}

function activeIn(html: string): Active {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const all = [...parsed.querySelectorAll("*")];
  const attributes = all.flatMap(({ localName, attributes: own }) =>
    [...own].map(({ name, value }) => ({ place: `<${localName} ${name}>`, name, value })),
  );
  const scheme = (value: string): string => {
    try {
      return new URL(value, "https://site/").protocol;
    } catch {
      return "";
    }
  };
  return {
    scripts: [...parsed.scripts]
      .filter((script) => !script.hasAttribute("src"))
      .map(({ id, text }) => ({ id, code: text })),
    handlers: attributes.filter(({ name }) => name.startsWith("on")).map(({ place }) => place),
    links: attributes
      .filter(({ name }) => /(?:^|:)(?:href|src|action|formaction|data|srcdoc)$/.test(name))
      .filter(({ value }) => !["http:", "https:"].includes(scheme(value)))
      .map(({ place, value }) => `${place} ${value}`),
    elements: [
      ...parsed.querySelectorAll("base, object, embed, iframe, form, meta[http-equiv=refresh]"),
    ].map(({ localName }) => localName),
  };
}

test("every page states the same policy before anything else, and the README shows it", () => {
  expect(PAGES.length).toBeGreaterThan(110);
  const policies = new Set(PAGES.map((file) => JSON.stringify(policyOf(file))));
  expect(policies.size).toBe(1);
  const { policy, hashes } = policyOf("index.html");
  expect(new Set(hashes).size).toBe(2);
  const readme = readFileSync(join(ROOT, "apps/site/README.md"), "utf8");
  const shown = policy.split("; ").join(";\n");
  expect(readme).toContain(`\`\`\`text\n${shown}\n\`\`\``);
});

test("the frame for the code of a tool loads nothing", () => {
  expect(FRAMES.map((file) => policyOf(file).policy)).toEqual([
    "default-src 'none'; script-src blob: 'sha256-…'; worker-src blob:; base-uri 'none'; form-action 'none'",
  ]);
});

test("no page has a script without a hash, a handler in an attribute or a link that runs", async ({
  open,
}) => {
  const page = await open("/404.html");
  const wrong: unknown[] = [];
  for (const file of oneInThree(HTML)) {
    const html = readFileSync(join(TESTED, file), "utf8");
    const { scripts, ...others } = await page.evaluate(activeIn, html);
    const { hashes } = policyOf(file);
    const ids = PAGES.includes(file) ? ["check-dark-mode", "check-mac-os"] : [""];
    expect(scripts.map(({ id }) => id)).toEqual(ids);
    const found = scripts.map(({ code }) => createHash("sha256").update(code).digest("base64"));
    expect(found.map((hash) => `sha256-${hash}`)).toEqual(hashes);
    if (Object.values(others).flat().length > 0) wrong.push([file, others]);
  }
  expect(wrong).toEqual([]);
});

/** Puts an element into the page, as a script that forges one could. */
const put = (html: string): string =>
  `document.body.insertAdjacentHTML("beforeend", ${JSON.stringify(html)});`;
const OWN = "document.title = 'owned'";

describe("a page that is made to hold something foreign does not run it", () => {
  const rows: readonly (readonly [name: string, script: string, refusal: string])[] = [
    ["a handler", put(`<img src="/icon.svg" onload="${OWN}">`), "script-src-attr: inline"],
    [
      "a handler in SVG",
      `${put(`<svg id="picture" onclick="${OWN}"></svg>`)} document.querySelector("#picture").dispatchEvent(new Event("click"))`,
      "script-src-attr: inline",
    ],
    [
      "a script",
      `document.head.append(Object.assign(document.createElement("script"), { text: "${OWN}" }))`,
      "script-src-elem: inline",
    ],
    [
      "a script from elsewhere",
      'document.head.append(Object.assign(document.createElement("script"), { src: "https://example.com/a.js" }))',
      "script-src-elem: https://example.com/a.js",
    ],
    [
      "a link that runs",
      `${put(`<a id="link" href="javascript:${OWN}">Sign in</a>`)} document.querySelector("#link").click()`,
      "script-src-elem: inline",
    ],
    [
      "a frame with a script",
      put(`<iframe srcdoc="<script>parent.${OWN}</script>"></iframe>`),
      "script-src-elem: inline",
    ],
    ["a frame from elsewhere", put('<iframe src="https://example.com/">'), "frame-src: https://"],
    [
      "a form that leads elsewhere",
      `${put('<form action="https://example.com/"></form>')} document.querySelector("form").submit()`,
      "form-action: https://example.com/",
    ],
    [
      "a form",
      `${put('<form action="/docs/"></form>')} document.querySelector("form").submit()`,
      "form-action: ",
    ],
    [
      "another base for its links",
      'document.head.append(Object.assign(document.createElement("base"), { href: "https://example.com/" }))',
      "base-uri: https://example.com",
    ],
    ["an object", put('<object data="/icon.svg"></object>'), "object-src: "],
    ["an image from elsewhere", put('<img src="https://example.com/a.png">'), "img-src: https://"],
  ];
  test.for(oneInThree(rows))("%s", async ([, script, refused], { browser, origin }) => {
    const context = await browser.newContext({ baseURL: origin });
    try {
      const faults = watchContext(context, origin);
      const page = await context.newPage();
      await page.goto("/docs/faq.html");
      await page.evaluate(script);
      await expect.poll(() => faults.join("\n")).toContain(`refused by ${refused}`);
      expect(await page.title()).not.toBe("owned");
      expect(await page.evaluate(() => document.baseURI)).toBe(page.url());
    } finally {
      await context.close();
    }
  });
});
