import { hasField, isRecord } from "../explain/json-type.ts";
import type { PathSegment } from "../fault.ts";

/** Where an issue points to in the arguments as they were sent. */
export interface IssuePlace {
  readonly path: readonly PathSegment[];
  /** What was sent there; absent where nothing was. */
  readonly sent?: { readonly value: unknown };
  /** The value furthest along the path that was sent, and how many segments lead to it. */
  readonly holder: { readonly value: unknown; readonly depth: number };
}

/** Follows an issue's path through own fields and items alone. */
export function locate(root: unknown, path: readonly PathSegment[]): IssuePlace {
  const followed: PathSegment[] = [];
  let value = root;
  for (const [depth, segment] of path.entries()) {
    const step = stepInto(value, segment);
    if (step === undefined) {
      const rest = [isRecord(value) ? String(segment) : segment, ...path.slice(depth + 1)];
      return { path: [...followed, ...rest], holder: { value, depth } };
    }
    followed.push(step.segment);
    value = step.value;
  }
  return { path: followed, sent: { value }, holder: { value, depth: path.length } };
}

interface Step {
  readonly segment: PathSegment;
  readonly value: unknown;
}

function stepInto(value: unknown, segment: PathSegment): Step | undefined {
  if (Array.isArray(value)) {
    const index =
      typeof segment === "number" ? segment : /^\d{1,9}$/.test(segment) ? Number(segment) : -1;
    return index in value && index >= 0 ? { segment: index, value: value[index] } : undefined;
  }
  const name = String(segment);
  return isRecord(value) && hasField(value, name)
    ? { segment: name, value: value[name] }
    : undefined;
}
