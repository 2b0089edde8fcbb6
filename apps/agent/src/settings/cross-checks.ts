import type { ConfigFault } from "@toolcontract/config";
import { keysOf, plainName, START, writtenPointer } from "@toolcontract/config/adapter";
import { type Finding, findingsOf } from "./findings.ts";
import type { Merged } from "./merge-layers.ts";

/** The faults that only the merged layers show; what may follow from another fault is none. */
export function crossChecks(
  merged: Merged,
  faults: readonly ConfigFault[],
): readonly ConfigFault[] {
  const wrong = faults.map(({ path }) => plainPath(path));
  const isSound = ({ pointer }: Finding): boolean => {
    const own = plainPath(pointer);
    return !wrong.some((path) => path.startsWith(own) || own.startsWith(path));
  };
  const findings = findingsOf(merged).filter(isSound);
  // Two targets of one provider find the same.
  const once = new Map(findings.map((one) => [one.pointer + one.message, one]));
  return [...once.values()].map((finding) => placed(finding, merged));
}

/** A finding with its place in the highest layer that sets what it is about. */
function placed(
  { pointer, code, message, expected, hint }: Finding,
  { layerAt }: Merged,
): ConfigFault {
  const { file, reading } = layerAt(pointer) ?? {};
  const place = reading?.tree?.places.get(pointer);
  const expansion = reading?.variables.expansions.get(pointer);
  const advice = expansion ? `change the variable ${expansion.variables.join(" or ")}` : hint;
  return {
    layer: file?.layer ?? "cwd",
    file: file?.path ?? "",
    ...(place ? (code === "missing-setting" ? place.key : place.value) : START),
    path: reading?.tree ? writtenPointer(pointer, reading.tree) : pointer,
    code,
    message,
    ...(expected !== undefined && { expected }),
    ...(advice !== undefined && { hint: advice }),
  };
}

/** A pointer without what differs between spellings of a key; it ends with a slash, so that prefixes are whole keys. */
function plainPath(pointer: string): string {
  return ["", ...keysOf(pointer)].map((key) => `${plainName(key)}/`).join("");
}
