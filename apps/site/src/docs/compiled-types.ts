import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Example, examplesOf, pagePaths, writePrograms } from "../../../../docs/fences.ts";
import { sentenceOf } from "../../../../docs/llms.ts";
import { type Compiler, startCompiler } from "./compiler.ts";
import { ROOT } from "./repository.ts";

/** What is shown of one name of a program. */
export interface CompiledType {
  /** Where the name is in the program. */
  readonly start: number;
  readonly end: number;
  readonly type: string;
  /** The first sentence of its documentation. */
  readonly says: string;
}

/** The types of each program on the pages, by the program's text. */
export type CompiledTypes = ReadonlyMap<string, readonly CompiledType[]>;

/** Comments, strings and templates, which have no names; or a name. */
const NAMES = /\/\/.*|\/\*[^]*?\*\/|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|([A-Za-z_$][\w$]*)/g;

/** Nobody reads more below the pointer. */
const LONGEST_TYPE = 320;

/** Compiles all programs of the documentation with one compiler. */
export async function compileTypes(): Promise<CompiledTypes> {
  const compiler = await startCompiler();
  try {
    const types = new Map<string, readonly CompiledType[]>();
    for (const [file, program] of writeProjects(pagePaths().flatMap(examplesOf))) {
      types.set(program, await typesOf(compiler, file, program));
    }
    return types;
  } finally {
    await compiler.end();
  }
}

async function typesOf(
  compiler: Compiler,
  file: string,
  program: string,
): Promise<readonly CompiledType[]> {
  await compiler.open(file, program);
  const types: CompiledType[] = [];
  for (const { index, 1: name } of program.matchAll(NAMES)) {
    if (name === undefined) continue;
    const before = program.slice(0, index).split("\n");
    const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    const markdown = (await compiler.quickInfo(file, position)) ?? "";
    const [, type, documentation = ""] = /^```\w+\n([^]*?)\n```\n?([^]*)$/.exec(markdown) ?? [];
    if (type === undefined) continue;
    types.push({
      start: index,
      end: index + name.length,
      type: cut(withoutPaths(type)),
      says: firstSentence(documentation),
    });
  }
  return types;
}

/**
 * Writes the programs that import the same packages into one project: to name a type, the compiler searches every file
 * of the project, and all frameworks in one take three times as long.
 */
function writeProjects(examples: readonly Example[]): readonly (readonly [string, string])[] {
  const projects = new Map<string, Example[]>();
  for (const example of examples) {
    const imports = importsOf(example.program);
    projects.set(imports, [...(projects.get(imports) ?? []), example]);
  }
  return [...projects].flatMap(([imports, members]) => {
    const folder = `site/${imports.replaceAll(/[^a-z0-9]+/g, "-")}`;
    const files = writePrograms(folder, members);
    const project = { extends: join(ROOT, "tsconfig.json"), include: ["*.ts"], exclude: [] };
    writeFileSync(join(dirname(files[0] ?? ""), "tsconfig.json"), JSON.stringify(project));
    return files.map((file, index) => [file, members[index]?.program ?? ""] as const);
  });
}

function importsOf(program: string): string {
  const packages = [...program.matchAll(/ from "((?:@[^/"]+\/)?[^/"]+)/g)].map(
    ([, name = ""]) => name,
  );
  return [...new Set(packages)].toSorted((a, b) => a.localeCompare(b)).join(" ");
}

/** `import("/home/me/toolcontract/node_modules/zod/index.d.ts")` is `import("zod")` to a reader. */
function withoutPaths(type: string): string {
  return type
    .replaceAll(/"[^"]*\/node_modules\/((?:@[^/"]+\/)?[^/"]+)[^"]*"/g, '"$1"')
    .replaceAll(`${ROOT}/`, "");
}

/** A type that is too long without what is inside of its innermost objects, and then of those around them. */
function cut(type: string): string {
  let shown = type;
  while (shown.length > LONGEST_TYPE) {
    const folded = shown.replaceAll(/\{(?!…)[^{}]*\}/g, "{…}");
    if (folded === shown) return `${shown.slice(0, shown.lastIndexOf(" ", LONGEST_TYPE))} …`;
    shown = folded;
  }
  return shown;
}

function firstSentence(documentation: string): string {
  const [paragraph = ""] = documentation.trim().split(/\n\n|\n\*@/);
  return sentenceOf(paragraph).replaceAll("`", "");
}
