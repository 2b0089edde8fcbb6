import { writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import type { Place } from "./place.ts";
import { runProcess } from "./run-process.ts";

/** The module format that a program is compiled to. */
export type Form = "esm" | "cjs";

/** A program of a README, with the changes that let it run without a provider. */
export interface Program {
  readonly source: string;
  /** Strings that occur once in the program, and their replacements. */
  readonly replaced: Readonly<Record<string, string>>;
  readonly before?: string;
  readonly after?: string;
}

/** A timer of their own keeps every program alive that has asked a model, also without us. */
export const NEVER_END: readonly string[] = ["@mastra/core@1.42.0", "@voltagent/core"];

/** The program with its changes; throws if a string to replace does not occur exactly once. */
export function changedProgram({ source, replaced, before = "", after = "" }: Program): string {
  let changed = source;
  for (const [text, other] of Object.entries(replaced)) {
    const parts = changed.split(text);
    if (parts.length !== 2)
      throw new Error(`The program has this ${parts.length - 1} times instead of once: ${text}`);
    changed = parts.join(other);
  }
  return `${before}\n${changed}\n${after}\n`;
}

/** Compiles a program into the project and returns its path. */
export function writeProgram(program: string, form: Form, name: string, place: Place): string {
  const module = form === "esm" ? ts.ModuleKind.ESNext : ts.ModuleKind.CommonJS;
  const compilerOptions = { module, target: ts.ScriptTarget.ES2022 };
  const { outputText } = ts.transpileModule(program, { compilerOptions });
  // CommonJS has no `await` outside of functions.
  const text = form === "esm" ? outputText : `(async () => {\n${outputText}\n})();\n`;
  const path = join(place.folder, `${name}.${form === "esm" ? "mjs" : "cjs"}`);
  writeFileSync(path, text);
  return path;
}

/** Compiles a program, runs it in the project, and returns its output. */
export function runProgram(
  program: Program,
  form: Form,
  place: Place,
  cwd: string = place.folder,
): Promise<string> {
  const path = writeProgram(changedProgram(program), form, "program", place);
  return runProcess({ command: place.node, args: [path], cwd });
}
