import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { vi } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");

/** A fenced block of a page. */
export interface Fence {
  readonly language: string;
  readonly text: string;
}

/** A program on a page, and what the page says that it prints. */
export interface Example {
  /** The page and the number of the program on it, such as `docs/errors/VAL-001.md 1`. */
  readonly name: string;
  readonly program: string;
  /** The fence that follows at once, if it is one of output. */
  readonly output?: string;
}

/** The pages whose programs are compiled and run. */
export function pagePaths(): readonly string[] {
  const found = globSync(["README.md", "packages/*/README.md", "docs/**/*.md", "bench/README.md"], {
    cwd: ROOT,
    exclude: (path) => path.includes("node_modules"),
  });
  return found.toSorted();
}

/** The text of a page, named from the root of the repository. */
export function readPage(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** The fenced blocks of a page, in order. */
export function fencesOf(page: string): readonly Fence[] {
  return [...page.matchAll(/^```(\w+)\n(.*?)\n```$/gms)].map(([, language = "", text = ""]) => {
    return { language, text };
  });
}

/** The programs of a page: every `ts` block, with the `text` or `json` block that follows as its output. */
export function examplesOf(path: string): readonly Example[] {
  const fences = fencesOf(readPage(path));
  return fences.flatMap(({ language, text }, index): Example[] => {
    if (language !== "ts") return [];
    const name = `${path} ${index + 1}`;
    const next = fences[index + 1];
    if (next === undefined || !["text", "json"].includes(next.language))
      return [{ name, program: text }];
    return [{ name, program: text, output: next.text }];
  });
}

/** Writes programs where the packages of the documentation resolve; answers their paths. */
export function writePrograms(folder: string, examples: readonly Example[]): readonly string[] {
  const target = join(import.meta.dirname, ".artifacts", folder);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  return examples.map(({ name, program }) => {
    const file = join(target, `${name.replaceAll(/[^A-Za-z0-9]+/g, "-")}.ts`);
    writeFileSync(file, `${program}\nexport {};\n`);
    return file;
  });
}

/** Runs a program and answers what it printed. */
export async function runProgram(file: string): Promise<string> {
  const printed: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((...values: unknown[]) => {
    printed.push(
      values
        .map((value) => (typeof value === "string" ? value : JSON.stringify(value, null, 2)))
        .join(" "),
    );
  });
  // The contract's own log is no output of the program.
  const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
  try {
    await import(/* @vite-ignore */ pathToFileURL(file).href);
    return printed.join("\n");
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
}

/** A path as the repository names it, for messages. */
export function fromRoot(file: string): string {
  return relative(ROOT, file);
}
