import type { ValidationError } from "@toolcontract/core";
import { isCrowded, isRecord, memberOf, keysOfPointer } from "../../wire/index.ts";

const REPAIRABLE: ReadonlySet<string> = new Set(["VAL-002", "VAL-008", "VAL-013"]);
const NUMBER = /^\s*-?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?\s*$/;
const BOOLEAN = /^(?:true|false)$/i;
const NESTED = /^\s*[[{]/;
const ROOT = "arguments";
/** What core shows in place of an undeclared name that does not look harmless. */
const MASKED = "(unknown field)";
const PLAIN = /^[A-Za-z_][A-Za-z0-9_-]{0,39}$/;

/** What a lenient server reads a value as: another value, or nothing. */
type Repaired = { readonly value: unknown } | "left out";

/** A copy of arguments, repaired round by round. */
export interface RepairedCopy {
  /** Repairs the copy at every error; false if one of them cannot be repaired. */
  readonly repair: (errors: readonly ValidationError[]) => boolean;
  readonly value: () => unknown;
}

/**
 * Copies arguments and repairs the copy in the few ways in which some servers do: a string that holds a number, a
 * boolean or JSON of an array or object, a number or a boolean for a string, and null for an optional field. Only what is
 * repaired is copied, and only once.
 */
export function createRepairedCopy(args: unknown): RepairedCopy {
  const own = new WeakSet<object>();
  /** Where a string was written: if it does not fit, it must not become a number again. */
  const written = new Set<string>();
  const root = { [ROOT]: args };

  function copyOf(value: object): object {
    if (own.has(value)) return value;
    const copy: object = Array.isArray(value) ? [...(value as readonly unknown[])] : { ...value };
    own.add(copy);
    return copy;
  }

  function repairAt(path: readonly string[]): boolean {
    const place = path.join("/");
    const repaired = written.has(place) ? undefined : repair(path.reduce<unknown>(memberOf, root));
    if (repaired === undefined) return false;
    if (repaired !== "left out" && typeof repaired.value === "string") written.add(place);
    const last = path.at(-1) ?? ROOT;
    let parent: object = root;
    for (const segment of path.slice(0, -1)) {
      const copy = copyOf(memberOf(parent, segment) as object);
      put(parent, segment, copy);
      parent = copy;
    }
    if (repaired !== "left out") put(parent, last, repaired.value);
    // A tool called without arguments gets an empty object.
    else if (parent === root) put(root, ROOT, {});
    else return !Array.isArray(parent) && Reflect.deleteProperty(parent, last);
    return true;
  }

  return {
    repair(errors) {
      if (!errors.every(({ errorCode }) => REPAIRABLE.has(errorCode))) return false;
      const pointers = [...new Set(errors.map(({ fieldPath }) => fieldPath))];
      return pointers.every((pointer) => {
        const paths = pathsOf(root, [ROOT, ...keysOfPointer(pointer)]);
        return paths.filter(repairAt).length > 0;
      });
    },
    value: () => root[ROOT],
  };
}

/** The paths that a pointer may stand for: a masked segment may be any of the names that core masks. */
function pathsOf(parent: unknown, [segment, ...rest]: readonly string[]): readonly string[][] {
  if (segment === undefined) return [[]];
  const isMasked = segment === MASKED && isRecord(parent) && !Object.hasOwn(parent, MASKED);
  const names = isMasked ? Object.keys(parent).filter((name) => !PLAIN.test(name)) : [segment];
  return names.flatMap((name) =>
    pathsOf(memberOf(parent, name), rest).map((path) => [name, ...path]),
  );
}

/** Sets an own member, even one named `__proto__`. */
function put(parent: object, segment: string, value: unknown): void {
  Object.defineProperty(parent, segment, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

function repair(value: unknown): Repaired | undefined {
  if (value === null) return "left out";
  if (typeof value === "number" || typeof value === "boolean") return { value: String(value) };
  if (typeof value !== "string") return undefined;
  if (NUMBER.test(value)) return { value: Number(value) };
  if (BOOLEAN.test(value)) return { value: value.toLowerCase() === "true" };
  if (!NESTED.test(value) || isCrowded(value)) return undefined;
  try {
    return { value: JSON.parse(value) };
  } catch {
    return undefined;
  }
}
