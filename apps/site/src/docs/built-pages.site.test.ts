import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { targetsOf } from "../../../../docs/markdown.ts";
import { TESTED } from "../testing/build-site.ts";
import { addressOf, linkedPaths, PAGES, ROOT } from "./repository.ts";

const FILES = globSync("**/*.*", { cwd: TESTED }).toSorted();
// In assets/ is the frame for the code of a tool, which nobody reads.
const HTML = FILES.filter((file) => file.endsWith(".html") && !file.startsWith("assets/"));
const text = new Map(HTML.map((file) => [file, readFileSync(join(TESTED, file), "utf8")]));
const built = (file: string): string => text.get(file) ?? "";

/** The file that a static host answers with. */
const fileOf = (address: string): string => address.slice(1).replace(/(^|\/)$/, "$1index.html");
const valuesOf = (file: string, pattern: RegExp): readonly string[] =>
  [...built(file).matchAll(pattern)].map(([, value = ""]) => value);
const idsOf = (file: string): ReadonlySet<string> => new Set(valuesOf(file, / id="([^"]+)"/g));
const ids = new Map(HTML.map((file) => [file, idsOf(file)]));

test("every page of the repository and every file that one links to is in the site", () => {
  expect(HTML.length).toBeGreaterThan(110);
  const missing = [...PAGES, ...linkedPaths()].filter(
    (path) => !FILES.includes(fileOf(addressOf(path))),
  );
  expect(missing).toEqual([]);
  expect(PAGES.filter((path) => !FILES.includes(path))).toEqual([]);
});

describe.each(HTML)("%s", (file) => {
  test("has a title, a description and a card", () => {
    const html = built(file);
    const [title = ""] = valuesOf(file, /<title>([^<]+)<\/title>/g);
    expect(title).toMatch(/^(?:.+ \| )?Toolcontract$/);
    const [description = "", ...others] = valuesOf(
      file,
      /<meta name="description" content="([^"]+)">/g,
    );
    expect(others).toEqual([]);
    expect(description).toMatch(/^\S.{11}/);
    expect(html).toContain(`<meta property="og:title" content="${title}">`);
    expect(html).toContain(`<meta property="og:description" content="${description}">`);
    expect(html).toContain('<meta name="twitter:card" content="summary">');
  });

  test("links only to files and anchors of the site", () => {
    const links = valuesOf(file, /<a\b[^>]* href="([^"]*)"/g).filter(
      (link) => !/^https?:/.test(link),
    );
    // The body of 404.html is drawn in the browser.
    if (file !== "404.html") expect(links).not.toEqual([]);
    const broken = links.filter((link) => {
      const { pathname, hash } = new URL(link.replaceAll("&amp;", "&"), `https://site/${file}`);
      const target = decodeURIComponent(fileOf(pathname));
      if (!FILES.includes(target)) return true;
      return hash !== "" && !ids.get(target)?.has(decodeURIComponent(hash.slice(1)));
    });
    expect(broken).toEqual([]);
  });

  test("lets its styles arrive before its scripts", () => {
    const scripts = valuesOf(file, /<(?:link rel="modulepreload"|script type="module")([^>]*)>/g);
    expect(scripts).not.toEqual([]);
    expect(scripts.filter((attributes) => !attributes.includes(' fetchpriority="low"'))).toEqual(
      [],
    );
  });

  test("loads from its own origin", () => {
    const loaded = valuesOf(
      file,
      /<(?:script|link|img|source|iframe)\b[^>]* (?:src|href)="([^"]*)"/g,
    );
    expect(loaded.filter((address) => !/^\/[^/]/.test(address))).toEqual([]);
    expect(loaded.filter((address) => !FILES.includes(address.slice(1)))).toEqual([]);
  });
});

test("pages have descriptions of their own", () => {
  const shown = HTML.filter((file) => file !== "404.html");
  const found = shown.flatMap((file) =>
    valuesOf(file, /<meta name="description" content="([^"]+)">/g),
  );
  expect(found.filter((value, index) => found.indexOf(value) !== index)).toEqual([]);
});

test("style sheets have no image in them, and those that they name exist", () => {
  const sheets = FILES.filter((file) => file.endsWith(".css"));
  const urls = sheets.flatMap((file) => {
    const css = readFileSync(join(TESTED, file), "utf8");
    return [...css.matchAll(/url\(["']?([^"')]*)/g)].map(
      ([, url = ""]) => new URL(url, `https://site/${file}`),
    );
  });
  expect(urls.length).toBeGreaterThan(10);
  expect(
    urls.filter(({ host, pathname }) => host !== "site" || !FILES.includes(pathname.slice(1))),
  ).toEqual([]);
});

test("no file says where it was built", () => {
  const saying = FILES.filter((file) => /\.(?:html|js|css|md|txt)$/.test(file)).filter((file) =>
    readFileSync(join(TESTED, file), "utf8").includes(ROOT),
  );
  expect(saying).toEqual([]);
});

describe("the index for language models", () => {
  const index = readFileSync(join(TESTED, "llms.txt"), "utf8");

  test("is at the root, and its links lead to Markdown", () => {
    const targets = targetsOf(index);
    expect(targets.length).toBeGreaterThan(60);
    expect(targets.filter((target) => !target.endsWith(".md") || !FILES.includes(target))).toEqual(
      [],
    );
  });

  test("has all pages in one file beside it", () => {
    const whole = readFileSync(join(TESTED, "llms-full.txt"), "utf8");
    expect(PAGES.filter((page) => !whole.includes(readFileSync(join(ROOT, page), "utf8")))).toEqual(
      [],
    );
  });
});
