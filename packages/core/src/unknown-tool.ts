import { listValues } from "./explain/describe.ts";
import { nearest } from "./explain/near.ts";
import type { Finding } from "./explain/walk.ts";

/** The finding for a call of a tool that the host does not have (VAL-012). */
export function unknownTool(name: string, known: readonly string[]): Finding {
  const near = nearest(name, known);
  return {
    code: "VAL-012",
    path: [],
    message: `Unknown tool '${name}'`,
    expected: known.length > 0 ? listValues(known) : "no tool at all",
    ...(near !== undefined && { hint: `use ${JSON.stringify(near)}` }),
  };
}
