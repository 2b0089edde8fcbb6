import { REPORT_TOOL } from "@toolcontract/session/adapter";

/** A tool of a server. */
export interface ToolPlace {
  readonly server: string;
  readonly tool: string;
}

const MAX_NAME = 64;

/**
 * Names the tools of all servers for a model: as their servers do, and with the server's name before it if two servers
 * have the same, or the report tool has. Names are unique and what every provider accepts.
 */
export function nameTools<Place extends ToolPlace>(
  places: readonly Place[],
): ReadonlyMap<string, Place> {
  const counts = new Map<string, number>([[REPORT_TOOL, 1]]);
  for (const { tool } of places) counts.set(fit(tool), (counts.get(fit(tool)) ?? 0) + 1);
  const isAlone = ({ tool }: Place): boolean => counts.get(fit(tool)) === 1;
  const named = new Map<string, Place>();
  // Names that stay are taken first.
  for (const place of places.filter(isAlone)) named.set(fit(place.tool), place);
  for (const place of places.filter((one) => !isAlone(one))) {
    named.set(unique(fit(`${place.server}__${place.tool}`), named), place);
  }
  return named;
}

/** The name with what no provider accepts replaced, and cut to their limit. */
function fit(name: string, max = MAX_NAME): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/gu, "_").slice(0, max) || "tool";
}

function unique(name: string, taken: ReadonlyMap<string, unknown>): string {
  let found = name;
  for (let number = 2; taken.has(found) || found === REPORT_TOOL; number += 1) {
    const suffix = `_${number}`;
    found = name.slice(0, MAX_NAME - suffix.length) + suffix;
  }
  return found;
}
