import { ToolContractError } from "@toolcontract/core";
import type { ConfigFault } from "@toolcontract/config";
import {
  pointerOf,
  configError,
  missingVariable,
  START,
  writtenPointer,
} from "@toolcontract/config/adapter";
import { AGENT_FORMAT } from "./agent-format.ts";
import type { AgentPlaces } from "./find-agent-files.ts";
import { membersOf, type Merged } from "./merge-layers.ts";

/** Expands the headers or the environment of a server, each value with the variables of the layer that sets it. */
export function expandedOf(
  section: "headers" | "env",
  server: string,
  { value, layerAt, originOf }: Merged,
  places: AgentPlaces,
): Readonly<Record<string, string>> {
  const servers = membersOf(value["mcp_servers"]);
  if (!Object.hasOwn(servers, server)) {
    throw new ToolContractError(`${section}Of: there is no server '${server.slice(0, 64)}'.`);
  }
  const faults: ConfigFault[] = [];
  const members = Object.entries(membersOf(membersOf(servers[server])[section]));
  const expanded = members.map(([name, text]) => {
    const path = pointerOf(["mcp_servers", server, section, name]);
    const layer = layerAt(path);
    const result = layer?.reading.variables.expand(String(text)) ?? "";
    if (typeof result === "string") return [name, result];
    const shown = layer?.reading.tree ? writtenPointer(path, layer.reading.tree) : path;
    const place = { ...START, layer: "cwd", file: "", ...originOf(path), path: shown } as const;
    for (const variable of result.unset) {
      faults.push({ ...place, ...missingVariable(variable, place.layer, AGENT_FORMAT) });
    }
    return [name, ""];
  });
  if (faults.length > 0) throw configError(faults, places);
  return Object.fromEntries(expanded);
}
