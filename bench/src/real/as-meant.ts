import { contradictionsIn, pointerKeys } from "@toolcontract/explain/adapter";
import { ajvAccepts } from "../bare-ajv.ts";
import type { KnownCall } from "./real-calls.ts";

type Node = Record<string, unknown>;

/**
 * Whether ajv accepts arguments that it refuses only for places that no value can pass: none of the listed values has the
 * declared type. There the list counts and the type does not.
 */
export function acceptedAsMeant(
  tool: KnownCall["tool"],
): ((value: unknown) => boolean) | undefined {
  const contradictions = contradictionsIn(tool.inputSchema);
  if (contradictions.length === 0) return undefined;
  const inputSchema = structuredClone(tool.inputSchema) as Node;
  for (const { pointer, meant } of contradictions) {
    const keys = pointerKeys(pointer);
    const keyword = keys.at(-1) ?? "";
    const place = keys.slice(0, -1).reduce((node, key) => node[key] as Node, inputSchema);
    if (meant === "values") delete place["type"];
    else {
      place["items"] = { enum: place[keyword] };
      delete place[keyword];
    }
  }
  return ajvAccepts({ ...tool, inputSchema });
}
