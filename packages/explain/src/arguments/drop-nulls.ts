import { type Finding, type PathSegment, isRecord } from "../shared/index.ts";
import type { Unwrapped } from "./unwrap-strings.ts";

/** Leaves out the nulls of fields that may be left out and do not take null; undefined if there are none. */
export function dropNulls(root: unknown, findings: readonly Finding[]): Unwrapped | undefined {
  const nulls = findings.filter(
    ({ hint, actual, path }) =>
      hint?.kind === "leave-out" && actual?.value === null && typeof path.at(-1) === "string",
  );
  if (nulls.length === 0) return undefined;
  return {
    value: nulls.reduce((value, { path }) => withoutField(value, path), root),
    repairs: nulls.map(() => ({ step: "null", offset: 0, removed: 4, inserted: 0 })),
  };
}

function withoutField(value: unknown, [segment, ...rest]: readonly PathSegment[]): unknown {
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) =>
      index === segment ? withoutField(item, rest) : item,
    );
  }
  if (segment === undefined || !isRecord(value)) return value;
  const { [segment]: inner, ...others } = value;
  return rest.length === 0 ? others : { ...value, [segment]: withoutField(inner, rest) };
}
