import { runInNewContext } from "node:vm";
import { z } from "zod";
import type { Validator } from "../playground/pastes/index.ts";
import type { ToolText } from "../playground/state/index.ts";

/** What a worker of the page makes of an example in zod: its schema and its name, for `replay`. */
export function evaluatedTool({
  language,
  text,
}: ToolText): readonly [validator?: Validator, name?: string] {
  if (language !== "zod") return [];
  const tool = runInNewContext(`(${text})`, { z }) as { name: string; inputSchema: Validator };
  return [tool.inputSchema, tool.name];
}
