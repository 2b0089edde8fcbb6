import { readFileSync } from "node:fs";
import { basename, extname, relative, resolve } from "node:path";
import { type ReadTool, readTools } from "../input/index.ts";

/** An input that was read. */
export interface Input {
  /** What people call it. */
  readonly title: string;
  /** The file, relative to the working directory; undefined for a server. */
  readonly file: string | undefined;
  readonly path: string | undefined;
  readonly text: string | undefined;
  readonly tools: readonly ReadTool[];
}

/** An input that cannot be read: its message says why. */
export class UnreadableInput extends Error {
  override readonly name: string = "UnreadableInput";
}

/** Reads a JSON file of tools; throws an UnreadableInput. */
export function readFile(given: string, cwd: string): Input {
  const path = resolve(cwd, given);
  const text = textOf(path, given);
  const document = parse(text, given);
  const tools = readTools(document, basename(path, extname(path)));
  if (tools.length === 0)
    throw new UnreadableInput(
      `${given} holds no tools: pass the tools/list of an MCP server, the tools of a request, or a JSON Schema.`,
    );
  const file = relative(cwd, path).replaceAll("\\", "/");
  return { title: given, file, path, text, tools };
}

function textOf(path: string, given: string): string {
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (thrown) {
    const { code = "failed" } = thrown as NodeJS.ErrnoException;
    throw new UnreadableInput(`${given} cannot be read (${code}).`);
  }
}

function parse(text: string, given: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableInput(`${given} is not JSON.`);
  }
}
