import type { ValidationError } from "@toolcontract/core";
import { isRecord } from "../wire/index.ts";

const MENDABLE: ReadonlySet<string> = new Set(["VAL-002", "VAL-008", "VAL-013"]);
const NUMBER = /^\s*-?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?\s*$/;
const BOOLEAN = /^(?:true|false)$/i;
const NESTED = /^\s*[[{]/;
const ROOT = "arguments";
/** What core shows for a name that is not declared and does not look plain. */
const MASKED = "(unknown field)";
const PLAIN = /^[A-Za-z_][A-Za-z0-9_-]{0,39}$/;

/** What lenient servers make of a value: another one, or nothing at all. */
type Repaired = { readonly value: unknown } | "left out";

/** A copy of arguments that is mended round by round. */
export interface RepairedCopy {
  /** Mends it at every error; false where one cannot be mended. */
  readonly mend: (errors: readonly ValidationError[]) => boolean;
  readonly value: () => unknown;
}

/**
 * Copies arguments to mend them in the few ways in which some servers do: text of a number or of a boolean, JSON text
 * of an array or an object, null for what may be left out. What is not mended is shared, and nothing is copied twice.
 */
export function createRepairedCopy(args: unknown): RepairedCopy {
  const own = new WeakSet<object>();
  const root = { [ROOT]: args };

  function copyOf(value: object): object {
    if (own.has(value)) return value;
    const copy: object = Array.isArray(value) ? [...(value as readonly unknown[])] : { ...value };
    own.add(copy);
    return copy;
  }

  function mendAt(path: readonly string[]): boolean {
    const mended = mend(path.reduce<unknown>(memberOf, root));
    if (mended === undefined) return false;
    const last = path.at(-1) ?? ROOT;
    let parent: object = root;
    for (const segment of path.slice(0, -1)) {
      const copy = copyOf(memberOf(parent, segment) as object);
      put(parent, segment, copy);
      parent = copy;
    }
    if (mended !== "left out") put(parent, last, mended.value);
    // Without arguments a tool gets an empty object.
    else if (parent === root) put(root, ROOT, {});
    else return !Array.isArray(parent) && Reflect.deleteProperty(parent, last);
    return true;
  }

  return {
    mend(errors) {
      if (!errors.every(({ errorCode }) => MENDABLE.has(errorCode))) return false;
      const pointers = [...new Set(errors.map(({ fieldPath }) => fieldPath))];
      return pointers.every((pointer) => {
        const paths = pathsOf(root, [ROOT, ...segmentsOf(pointer)]);
        return paths.filter(mendAt).length > 0;
      });
    },
    value: () => root[ROOT],
  };
}

/** Where an error may be: names that could be secrets are not told, so it may be at any of those. */
function pathsOf(parent: unknown, [segment, ...rest]: readonly string[]): readonly string[][] {
  if (segment === undefined) return [[]];
  const isMasked = segment === MASKED && isRecord(parent) && !Object.hasOwn(parent, MASKED);
  const names = isMasked ? Object.keys(parent).filter((name) => !PLAIN.test(name)) : [segment];
  return names.flatMap((name) =>
    pathsOf(memberOf(parent, name), rest).map((path) => [name, ...path]),
  );
}

/** The segments of a JSON Pointer. */
export function segmentsOf(pointer: string): readonly string[] {
  const [, ...segments] = pointer.split("/");
  return segments.map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The member of an object or the item of an array; undefined where it has none of its own. */
export function memberOf(parent: unknown, segment: string): unknown {
  if (Array.isArray(parent)) return /^\d+$/.test(segment) ? parent[Number(segment)] : undefined;
  return isRecord(parent) && Object.hasOwn(parent, segment) ? parent[segment] : undefined;
}

/** Sets a member of the copy's own, whatever its name is. */
function put(parent: object, segment: string, value: unknown): void {
  Object.defineProperty(parent, segment, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

function mend(value: unknown): Repaired | undefined {
  if (value === null) return "left out";
  if (typeof value !== "string") return undefined;
  if (NUMBER.test(value)) return { value: Number(value) };
  if (BOOLEAN.test(value)) return { value: value.toLowerCase() === "true" };
  if (!NESTED.test(value)) return undefined;
  try {
    return { value: JSON.parse(value) };
  } catch {
    return undefined;
  }
}
