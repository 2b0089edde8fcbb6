import { replaceAt } from "../arguments/index.ts";
import type { CompiledSchema } from "../schema/index.ts";
import { type ErrorCode, type Finding, type PathSegment, startsWith } from "../shared/index.ts";

// Faults of a whole value: nothing inside it can be right either.
const WHOLE: readonly ErrorCode[] = ["VAL-002", "VAL-013", "VAL-014"];

/** How many other values are tried; each is explained anew. */
const MAX_TRIED = 20;

/** The JSON Schema's findings for a value, by place. */
export interface ExplainedFindings {
  at(path: readonly PathSegment[]): readonly Finding[];
  /** The findings at the place or inside it. */
  below(path: readonly PathSegment[]): readonly Finding[];
  /** The findings of the nearest enclosing value that is wrong as a whole. */
  above(path: readonly PathSegment[]): readonly Finding[];
  /** Whether the JSON Schema accepts what was sent at the place, but not the type of this other value. */
  refuses(path: readonly PathSegment[], other: unknown): boolean;
}

/** Explains a value with the tool's JSON Schema; empty if that fails or accepts the value. */
export function explainedFindings(
  compiled: () => CompiledSchema | undefined,
  value: unknown,
): ExplainedFindings {
  const findings = explainedBy(compiled, value);
  const places = new Map<string, Finding[]>();
  let tried = 0;
  for (const finding of findings) {
    const key = JSON.stringify(finding.path);
    const here = places.get(key);
    if (here) here.push(finding);
    else places.set(key, [finding]);
  }
  const at = (path: readonly PathSegment[]): readonly Finding[] =>
    places.get(JSON.stringify(path)) ?? [];
  return {
    at,
    below: (path) => findings.filter((finding) => startsWith(finding.path, path)),
    above(path) {
      const around = findings.filter(
        (finding) =>
          finding.path.length < path.length &&
          WHOLE.includes(finding.code) &&
          startsWith(path, finding.path),
      );
      const depth = Math.max(...around.map((finding) => finding.path.length));
      return around.filter((finding) => finding.path.length === depth);
    },
    refuses(path, other) {
      tried += 1;
      if (at(path).length > 0 || tried > MAX_TRIED) return false;
      const place = JSON.stringify(path);
      return explainedBy(compiled, replaceAt(value, path, other)).some(
        (finding) => finding.code === "VAL-002" && JSON.stringify(finding.path) === place,
      );
    },
  };
}

function explainedBy(
  compiled: () => CompiledSchema | undefined,
  value: unknown,
): readonly Finding[] {
  try {
    const schema = compiled();
    return schema === undefined || schema.accepts(value) ? [] : schema.explain(value).findings;
  } catch {
    // The validator's own issues remain.
    return [];
  }
}
