import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");

/** A fenced block of a page. */
export interface Fence {
  readonly language: string;
  readonly text: string;
  /** The prose between it and the block before. */
  readonly prose: string;
}

/** A program on a page, and its output according to the page. */
export interface Example {
  /** The page and the number of the program on it, such as `docs/errors/VAL-001.md 1`. */
  readonly name: string;
  readonly program: string;
  /** The text of the block that follows, if that is output. */
  readonly output?: string;
  /** `ts` by default. */
  readonly language?: "ts" | "tsx";
}

/** The pages whose programs are compiled and run. */
export function pagePaths(): readonly string[] {
  const found = globSync(
    ["README.md", "{packages,apps}/*/README.md", "docs/**/*.md", "bench/README.md"],
    {
      cwd: ROOT,
      exclude: (path) => path.includes("node_modules"),
    },
  );
  return found.toSorted();
}

/** Reads a page by its path in the repository. */
export function readPage(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** The fenced blocks of a page, in order. */
export function fencesOf(page: string): readonly Fence[] {
  let end = 0;
  return [...page.matchAll(/^```(\w+)\n(.*?)\n```$/gms)].map((match) => {
    const [whole, language = "", text = ""] = match;
    const prose = page.slice(end, match.index);
    end = match.index + whole.length;
    return { language, text, prose };
  });
}

/** The bad call of the README, what a framework answers to it (shortened), and the contract's answer. */
export function badCallOfReadme(): Readonly<Record<"call" | "today" | "contract", string>> {
  const fences = fencesOf(readPage("README.md"));
  const at = fences.findIndex(({ language }) => language === "json");
  const [call = "", today = "", contract = ""] = fences.slice(at).map(({ text }) => text);
  return { call, today, contract };
}

/** The first line of a block that is an excerpt of a file and not a program. */
const SOURCE = /^\/\/ ([\w./-]+\.ts)\n/;

/** An excerpt of a file, as a page shows it. */
export interface Excerpt {
  readonly file: string;
  readonly text: string;
}

/** The excerpts on a page: every `ts` block below a comment that names its file. */
export function excerptsOf(path: string): readonly Excerpt[] {
  return fencesOf(readPage(path)).flatMap(({ language, text }) => {
    const [line = "", file = ""] = SOURCE.exec(text) ?? [];
    return language === "ts" && line !== "" ? [{ file, text: text.slice(line.length) }] : [];
  });
}

/** Pages of frameworks that the workspace does not install: `pnpm conformance:report` compiles and runs their programs. */
const APART = [
  "claude-agent-sdk",
  "cloudflare-agents",
  "genkit",
  "google-adk",
  "llamaindex",
  "tanstack-ai",
  "voltagent",
].map((name) => `docs/${name}.md`);

/** The programs on pages of frameworks that the workspace does not install. */
export function programsApart(): readonly Example[] {
  return APART.flatMap(allExamplesOf);
}

/**
 * The programs of a page that the workspace can compile and run: every other `ts` block, with the `text` or `json` block that follows
 * below the same heading as its output.
 */
export function examplesOf(path: string): readonly Example[] {
  return APART.includes(path) ? [] : allExamplesOf(path);
}

function allExamplesOf(path: string): readonly Example[] {
  const fences = fencesOf(readPage(path));
  return fences.flatMap(({ language, text }, index): Example[] => {
    if (language !== "ts" || SOURCE.test(text)) return [];
    const name = `${path} ${index + 1}`;
    const next = fences[index + 1];
    const isOutput =
      ["text", "json"].includes(next?.language ?? "") && !/^#/m.test(next?.prose ?? "");
    return [{ name, program: text, ...(isOutput && next && { output: next.text }) }];
  });
}

/** The files of the packages in `examples`, which install the packages as they are published and so cannot be compiled where they are. */
export function startingPoints(): readonly Example[] {
  const files = globSync("examples/*/**/*.{ts,tsx}", {
    cwd: ROOT,
    exclude: (path) => path.includes("node_modules"),
  });
  return files.toSorted().map((name) => ({
    name,
    program: readPage(name),
    language: name.endsWith("x") ? "tsx" : "ts",
  }));
}

/** Writes programs into a folder from which the packages resolve; returns their paths. */
export function writePrograms(folder: string, examples: readonly Example[]): readonly string[] {
  const target = join(import.meta.dirname, ".artifacts", folder);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  return examples.map(({ name, program, language = "ts" }) => {
    const file = join(target, `${name.replaceAll(/[^A-Za-z0-9]+/g, "-")}.${language}`);
    writeFileSync(file, `${program}\nexport {};\n`);
    return file;
  });
}
