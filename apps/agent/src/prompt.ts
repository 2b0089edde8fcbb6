import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { splitFrontMatter } from "./settings/index.ts";
import { isTimeLimit, within } from "@toolcontract/core/adapter";
import { UsageError } from "./command-line.ts";

/** Where the prompt of a run comes from. */
export interface PromptSource {
  /** The prompt's file, whose front matter configures the run. */
  readonly file?: string;
  /** Something about the words that is probably a mistake. */
  readonly warning?: string;
  /**
   * Reads the prompt.
   *
   * @throws UsageError if the prompt is empty; the signal's reason.
   */
  read(signal: AbortSignal): Promise<string>;
}

/** The words of a command line, and where else a prompt may be. */
export interface PromptOptions {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
}

/** Finds out where the prompt comes from; nothing is read yet. */
export function promptSource({ words, cwd, stdin }: PromptOptions): PromptSource {
  const [first, ...others] = words;
  if (first === "-" || first === undefined) {
    return {
      read: async (signal) => promptOf([await readAll(stdin, first, signal), others.join(" ")]),
    };
  }
  const withPiped = (parts: () => readonly string[]) => async (signal: AbortSignal) =>
    promptOf([...parts(), await readPiped(stdin, signal)]);
  const spoken = withPiped(() => [words.join(" ")]);
  if (!first.endsWith(".md")) return { read: spoken };
  const file = resolve(cwd, first);
  if (!isFile(file)) {
    const warning = `There is no file ${first}: the words of the command line are the prompt.`;
    return { warning, read: spoken };
  }
  return { file, read: withPiped(() => [bodyOf(file, first), others.join(" ")]) };
}

/** How long a pipe has to begin: many programs start others with a pipe that they never write to, nor close. */
const PIPE_MS = 1_000;

/** What is piped in beside words; empty for a terminal, and for a pipe in which nothing comes. */
async function readPiped(stdin: PromptOptions["stdin"], signal: AbortSignal): Promise<string> {
  if (stdin.isTTY === true) return "";
  const begun = new Promise<void>((done) => {
    for (const event of ["readable", "end", "error", "close"]) stdin.once(event, () => done());
  });
  const isBegun = await within(
    begun.then(() => true),
    PIPE_MS,
    signal,
  ).catch((thrown: unknown) => {
    if (isTimeLimit(thrown)) return false;
    throw thrown;
  });
  if (isBegun) return text(addAbortSignal(signal, stdin));
  stdin.destroy();
  return "";
}

/** The parts of a prompt, an empty line between them. */
function promptOf(parts: readonly string[]): string {
  const prompt = parts
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n\n");
  if (prompt !== "") return prompt;
  throw new UsageError(
    "There is no prompt: write it, name a file that ends in .md, or pipe it in.",
  );
}

/** What is piped in; a terminal is asked only for `-`. */
async function readAll(
  stdin: PromptOptions["stdin"],
  word: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  if (word === undefined && stdin.isTTY === true) return "";
  return text(addAbortSignal(signal, stdin));
}

function bodyOf(file: string, name: string): string {
  try {
    return splitFrontMatter(readFileSync(file, "utf8")).body;
  } catch (thrown) {
    throw new UsageError(`${name} cannot be read (${(thrown as NodeJS.ErrnoException).code}).`);
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // Words may be longer than a name of a file.
    return false;
  }
}
