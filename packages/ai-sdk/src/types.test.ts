import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isWhole } from "@toolcontract/case-table/whole";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const SOURCES = fileURLToPath(new URL(".", import.meta.url));
const ROOT = join(SOURCES, "../../..");
const TSC = join(ROOT, "node_modules/.bin/tsc");
const BASE = join(ROOT, "tsconfig.base.json");

/** The packages whose declarations those of the adapter name, with their entries. */
const BELOW: readonly (readonly [folder: string, entries: readonly string[]])[] = [
  ["core", ["index", "adapter"]],
  ["explain", ["index", "adapter", "ajv", "options"]],
];

// Core's declarations name the globals of every JavaScript runtime.
const NODE = { types: ["node"], typeRoots: [join(ROOT, "node_modules/@types")] };

const VERSIONS = [
  [7, "ai"],
  [6, "ai6"],
  [5, "ai5"],
] as const;

let folder: string;

// The repository's own types are checked against version 7 in any case.
describe.runIf(isWhole)("the published types", () => {
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "toolcontract-types-")));
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        extends: BASE,
        compilerOptions: {
          ...NODE,
          noEmit: false,
          declaration: true,
          emitDeclarationOnly: true,
          rootDir: join(ROOT, "packages"),
          outDir: join(folder, "declarations"),
        },
        files: [
          join(SOURCES, "index.ts"),
          ...BELOW.flatMap(([name, entries]) =>
            entries.map((entry) => join(ROOT, "packages", name, `src/${entry}.ts`)),
          ),
        ],
      }),
    );
    const complaints = await compile(folder);
    if (complaints !== "") throw new Error(complaints);
    const specification = "@standard-schema/spec";
    for (const [name, entries] of BELOW) {
      const declared = join(folder, "declarations", name);
      const exported = entries.map((entry) => [
        entry === "index" ? "." : `./${entry}`,
        `./src/${entry}.d.ts`,
      ]);
      await writeFile(
        join(declared, "package.json"),
        JSON.stringify({ type: "module", exports: Object.fromEntries(exported) }),
      );
      await link(
        declared,
        specification,
        join(ROOT, "packages", name, "node_modules", specification),
      );
    }
    await link(
      join(folder, "declarations/core"),
      "@toolcontract/explain",
      join(folder, "declarations/explain"),
    );
  });

  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  test.each(VERSIONS)(
    "what is published has exact types, also in a strict project that has ai %i and checks libraries",
    async (version, name) => {
      const project = await createProject(`ai-${version}`, name);
      const complaints = await compile(project);
      // The SDK's own declarations do not compile in such a project.
      expect(complaints).toContain(`ai@${version}.`);
      const own = complaints
        .split("\n")
        .filter((line) => /^\S+\.ts\(/.test(line) && !line.includes("node_modules"));
      expect(own).toEqual([]);
    },
  );
});

/** A project with the published declarations and one version of the SDK. */
async function createProject(folderName: string, name: string): Promise<string> {
  const project = join(folder, folderName);
  await cp(join(folder, "declarations/ai-sdk/src"), project, { recursive: true });
  await cp(join(SOURCES, "versions.test-d.ts"), join(project, "versions.test-d.ts"));
  const installed = join(SOURCES, "../node_modules");
  await link(project, "ai", join(installed, name));
  await link(project, "zod", join(installed, "zod"));
  await link(project, "@toolcontract/core", join(folder, "declarations/core"));
  await link(project, "vitest", join(ROOT, "node_modules/vitest"));
  await writeFile(join(project, "package.json"), JSON.stringify({ type: "module" }));
  await writeFile(
    join(project, "tsconfig.json"),
    JSON.stringify({
      extends: BASE,
      compilerOptions: { ...NODE, skipLibCheck: false },
      files: ["versions.test-d.ts"],
    }),
  );
  return project;
}

async function link(project: string, name: string, target: string): Promise<void> {
  const path = join(project, "node_modules", name);
  await mkdir(dirname(path), { recursive: true });
  await symlink(await realpath(target), path, "dir");
}

/** The compiler's errors; empty if there are none. */
async function compile(project: string): Promise<string> {
  // Threads would each check the libraries again, and miss a file now and then.
  const run = promisify(execFile)(TSC, ["-p", project, "--pretty", "false", "--singleThreaded"]);
  return run.then(
    () => "",
    (error: unknown) => String((error as { readonly stdout?: unknown }).stdout ?? error),
  );
}
