import { fencesOf, pagePaths, readPage } from "../../docs/fences.ts";

/** What a page tells a reader to install, and the programs that must run after it. */
export interface Quickstart {
  readonly page: string;
  /** Its number on the page, from 1. */
  readonly number: number;
  /** The packages that its `npm install` lines name, as they stand there. */
  readonly packages: readonly string[];
  /** Commands of the same block that follow, such as `npx toolcontract config init`. */
  readonly commands: readonly string[];
  readonly programs: readonly QuickstartProgram[];
}

/** A program of a quickstart. */
export interface QuickstartProgram {
  readonly source: string;
  /** What it prints according to the page. */
  readonly output?: string;
}

/** The first line of an excerpt of a file, which is not a program. */
const EXCERPT = /^\/\/ [\w./-]+\.ts\n/;

/** Every quickstart of every README and page. */
export function allQuickstarts(): readonly Quickstart[] {
  return pagePaths().flatMap((page) => quickstartsOf(page, readPage(page)));
}

/**
 * The quickstarts of a page. One begins at a block with `npm install`, and has the first program after it and the others of the same
 * section.
 */
export function quickstartsOf(page: string, text: string): readonly Quickstart[] {
  const found: { -readonly [Key in keyof Quickstart]: Quickstart[Key] }[] = [];
  let isSameSection = false;
  const fences = fencesOf(text);
  for (const [index, fence] of fences.entries()) {
    if (/^#/m.test(fence.prose)) isSameSection = false;
    const lines = fence.language === "sh" ? commandsOf(fence.text) : [];
    const packages = lines.flatMap(packagesOf);
    const current = found.at(-1);
    if (packages.length > 0) {
      const commands = lines.filter((line) => packagesOf(line).length === 0);
      found.push({ page, number: found.length + 1, packages, commands, programs: [] });
      isSameSection = true;
    } else if (current && fence.language === "ts" && !EXCERPT.test(fence.text)) {
      if (!isSameSection && current.programs.length > 0) continue;
      const next = fences[index + 1];
      const isOutput = next && ["text", "json"].includes(next.language) && !/^#/m.test(next.prose);
      const program = { source: fence.text, ...(isOutput && { output: next.text }) };
      current.programs = [...current.programs, program];
    }
  }
  return found.filter(({ commands, programs }) => commands.length + programs.length > 0);
}

/** The lines of a shell block without their comments. */
function commandsOf(block: string): readonly string[] {
  return block
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "");
}

/** The packages of an `npm install` line; none for any other line. */
function packagesOf(line: string): readonly string[] {
  const [, rest = ""] = /^npm install (.*)$/.exec(line) ?? [];
  return rest.split(/\s+/).filter((word) => word !== "" && !word.startsWith("-"));
}
