import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { importOn, type OtherVersion } from "./other-version.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "other-version-"));
const SOURCES = pathToFileURL(`${FOLDER}/src/`);
const MANIFEST = '{ "type": "module", "exports": { ".": "./main.js", "./part": "./part.js" } }';

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(FOLDER, name)), { recursive: true });
    writeFileSync(join(FOLDER, name), text);
  }
}

function install(folder: string, version: string): void {
  write({
    [`${folder}/package.json`]: MANIFEST,
    [`${folder}/main.js`]: `export const main = "main of ${version}";`,
    [`${folder}/part.js`]: `export const part = "part of ${version}";`,
  });
}

install("node_modules/framework", "2");
install("node_modules/framework-1", "1");
install("node_modules/framework-tools", "the tools");
install("apart/node_modules/framework", "0");
write({
  "package.json": '{ "type": "module" }',
  "shared.js": 'import { main } from "framework";\nexport const shared = { main };',
  "src/index.js": 'export * from "./inner/index.js";\nexport { shared } from "../shared.js";',
  "src/inner/index.js": [
    'export { main } from "framework";',
    'export { part } from "framework/part";',
    'export { main as tools } from "framework-tools";',
  ].join("\n"),
});

afterAll(() => {
  rmSync(FOLDER, { recursive: true });
});

interface Loaded {
  readonly main: string;
  readonly part: string;
  readonly tools: string;
  readonly shared: object;
}

const load = async (version: Pick<OtherVersion, "name" | "packages" | "beside">) => {
  const [loaded] = await importOn<[Loaded]>({ ...version, sources: SOURCES }, "index.js");
  return loaded;
};

test("the adapter's sources get the other version, with its subpaths, and share what is not theirs", async () => {
  const first = await load({ name: "1", packages: { framework: "framework-1" } });
  const apart = await load({
    name: "0",
    packages: { framework: "framework" },
    beside: pathToFileURL(`${FOLDER}/apart/index.js`).href,
  });
  const newest = (await import(new URL("index.js", SOURCES).href)) as Loaded;
  const tools = "main of the tools";
  expect({ ...first }).toMatchObject({ main: "main of 1", part: "part of 1", tools });
  expect({ ...apart }).toMatchObject({ main: "main of 0", part: "part of 0", tools });
  expect({ ...newest }).toMatchObject({ main: "main of 2", part: "part of 2", tools });
  expect(first.shared).toStrictEqual({ main: "main of 2" });
  expect(first.shared).toBe(newest.shared);
  expect(apart.shared).toBe(newest.shared);
});
