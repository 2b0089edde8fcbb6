import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const IMPORT = /^(?:import|export) (?!type )(?:[^"';]*? from )?"([^"]+)"/gm;
const MODULE = /^(?:@[^/]+\/)?[^/]+/;

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string>>;
}

const DEMO = manifestOf("apps/demo");

/** The processes of the demo: itself, and the proxy that it starts. */
const PROGRAMS = ["apps/demo/src/main.ts", "packages/mcp/src/cli.ts"];

test("the demo's own dependencies have all that its packages import", () => {
  const installed = (folder: string): readonly string[] => [
    ...Object.keys(manifestOf(folder).dependencies ?? {}),
    ...Object.keys(DEMO.dependencies ?? {}),
  ];
  const imported = reachedImports(PROGRAMS);
  expect(imported).toContainEqual({ folder: "packages/explain", library: "ajv" });
  expect(imported.filter(({ folder, library }) => !installed(folder).includes(library))).toEqual(
    [],
  );
});

test("the packages of the demo have no dependency that only their tests use", () => {
  expect(Object.keys(manifestOf("internal/case-table").dependencies ?? {})).toEqual([
    "@standard-schema/spec",
    "@toolcontract/telemetry",
  ]);
});

interface Import {
  readonly folder: string;
  readonly library: string;
}

/** The libraries that the programs load, each with the folder of the package that imports it. */
function reachedImports(programs: readonly string[]): readonly Import[] {
  const found = new Map<string, Import>();
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    const folder = path.split("/").slice(0, 2).join("/");
    for (const name of importsOf(path)) {
      if (name.startsWith(".")) visit(relative(ROOT, resolve(ROOT, dirname(path), name)));
      else if (name.startsWith("@toolcontract/")) visit(entryOf(name));
      else if (!name.startsWith("node:")) {
        const [library = name] = MODULE.exec(name) ?? [];
        found.set(`${folder} ${library}`, { folder, library });
      }
    }
  };
  for (const program of programs) visit(program);
  return [...found.values()];
}

/** What a file imports when it runs: Node leaves out what is marked as a type. */
function importsOf(path: string): readonly string[] {
  const text = readFileSync(join(ROOT, path), "utf8");
  return [...text.matchAll(IMPORT)].flatMap(([, name]) => name ?? []);
}

function entryOf(name: string): string {
  const [, scope = "", entry = ""] = /^@toolcontract\/([^/]+)(.*)$/.exec(name) ?? [];
  for (const parent of ["packages", "internal"]) {
    try {
      const path = manifestOf(`${parent}/${scope}`).exports?.[`.${entry}`];
      if (path !== undefined) return join(parent, scope, path);
    } catch {
      // It is in the other folder.
    }
  }
  throw new Error(`No package exports "${name}".`);
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")) as Manifest;
}
