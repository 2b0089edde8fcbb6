import type { ErrorCode } from "../error-code.ts";
import type { Finding } from "../fault.ts";
import type { PathSegment } from "../fault.ts";
import type { CompiledSchema } from "../schema/compile-schema.ts";

// Faults of a value as a whole: whatever lies inside of it cannot be right either.
const WHOLE: readonly ErrorCode[] = ["VAL-002", "VAL-013", "VAL-014"];

/** What the tool's JSON Schema says against a value, for looking up by place. */
export interface ExplainedFindings {
  at(path: readonly PathSegment[]): readonly Finding[];
  /** The findings at the place or inside of it. */
  below(path: readonly PathSegment[]): readonly Finding[];
  /** The findings of the nearest value around the place that is wrong as a whole. */
  above(path: readonly PathSegment[]): readonly Finding[];
}

/** Explains a value with the tool's JSON Schema; where that fails or accepts the value there is nothing. */
export function explainedFindings(
  compiled: () => CompiledSchema | undefined,
  value: unknown,
): ExplainedFindings {
  const findings = explain(compiled, value);
  const places = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = JSON.stringify(finding.path);
    places.set(key, [...(places.get(key) ?? []), finding]);
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
  };
}

function explain(compiled: () => CompiledSchema | undefined, value: unknown): readonly Finding[] {
  try {
    const schema = compiled();
    return schema === undefined || schema.accepts(value) ? [] : schema.explain(value).findings;
  } catch {
    // A value beyond the schema's reach still has the validator's own issues.
    return [];
  }
}

function startsWith(path: readonly PathSegment[], start: readonly PathSegment[]): boolean {
  return (
    start.length <= path.length && start.every((segment, position) => path[position] === segment)
  );
}
