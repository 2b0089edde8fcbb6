import { listValues } from "../explain/list-words.ts";
import { nearest } from "../explain/near.ts";
import type { Finding } from "../fault.ts";

const MAX_LISTED = 10;

/** The finding for a call of a tool that the host does not have, the near name first (VAL-012). */
export function unknownTool(name: string, known: readonly string[]): Finding {
  const near = nearest(name, known);
  const names = near === undefined ? known : [near, ...known.filter((other) => other !== near)];
  const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : "";
  return {
    code: "VAL-012",
    path: [],
    message: `Unknown tool '${name}'`,
    expected:
      names.length > 0 ? `${listValues(names.slice(0, MAX_LISTED))}${more}` : "no tool at all",
    ...(near !== undefined && { hint: `use ${JSON.stringify(near)}` }),
  };
}
