import { isPromiseLike, isRecord } from "../shared/index.ts";

/** A schema of zod 3, by what all its classes have. */
export interface Zod3Schema {
  readonly _def: Readonly<Record<string, unknown>>;
  safeParse(input: unknown): unknown;
}

type AnyFunction = (...args: readonly unknown[]) => unknown;

/** A copy of a schema, and how many promises the functions of its author have returned. */
interface Watched {
  readonly schema: Zod3Schema;
  readonly promises: () => number;
}

const watched = new WeakMap<object, Watched>();

/**
 * Parses synchronously with a schema of zod 3; undefined if one of its functions returned a promise.
 *
 * @remarks Zod 3 parses the promise of a `preprocess` function in place of its value: a coercion makes
 * `"[object Promise]"` of it. It drops that of a refinement or transform, whose rejection nobody would handle.
 */
export function parseUnlessPromised(schema: Zod3Schema, input: unknown): unknown {
  let known = watched.get(schema);
  if (!known) watched.set(schema, (known = watchPromises(schema)));
  const before = known.promises();
  try {
    const result = known.schema.safeParse(input);
    return known.promises() === before ? result : undefined;
  } catch (error) {
    // A refinement may have met the promise.
    if (known.promises() > before) return undefined;
    throw error;
  }
}

/** Copies the parts that hold a function of the author, so that the copy can watch it; everything else is shared with the schema. */
function watchPromises(root: Zod3Schema): Watched {
  const copies = new WeakMap<object, Zod3Schema>();
  let promises = 0;

  function copyOf(schema: Zod3Schema): Zod3Schema {
    const known = copies.get(schema);
    if (known) return known;
    const definition = copied(Object.entries(schema._def), memberOf);
    const make = schema.constructor as new (definition: object) => Zod3Schema;
    const copy = definition ? new make(Object.fromEntries(definition)) : schema;
    copies.set(schema, copy);
    return copy;
  }

  function memberOf(value: unknown, name: unknown): unknown {
    if (name === "shape" && isAnyFunction(value)) {
      const fields = copied(Object.entries(value() as object), partOf);
      return fields ? () => Object.fromEntries(fields) : value;
    }
    // What it returns is known only once it runs.
    if (name === "getter" && isAnyFunction(value)) return () => partOf(value());
    if (name === "effect" && isRecord(value))
      return Object.fromEntries(
        Object.entries(value).map(([key, part]) => [key, watchedFunction(part)]),
      );
    return partOf(value);
  }

  function partOf(value: unknown): unknown {
    if (isZod3Schema(value)) return copyOf(value);
    if (Array.isArray(value))
      return copied([...value.entries()], partOf)?.map(([, part]) => part) ?? value;
    if (!(value instanceof Map)) return value;
    const parts = copied([...(value as ReadonlyMap<unknown, unknown>)], partOf);
    return parts ? new Map(parts) : value;
  }

  function watchedFunction(value: unknown): unknown {
    if (!isAnyFunction(value)) return value;
    return (...args: readonly unknown[]) => {
      const result = value(...args);
      if (!isPromiseLike(result)) return result;
      promises += 1;
      // Nobody waits for it: the schema runs again.
      result.then(undefined, () => undefined);
      return result;
    };
  }

  try {
    return { schema: copyOf(root), promises: () => promises };
  } catch {
    // A class of its own may be made otherwise.
    return { schema: root, promises: () => promises };
  }
}

type KeyedValues<Key> = readonly (readonly [key: Key, value: unknown])[];

/** Copies values; undefined if all copies are the values themselves. */
function copied<Key>(
  entries: KeyedValues<Key>,
  copy: (value: unknown, key: Key) => unknown,
): KeyedValues<Key> | undefined {
  const copies = entries.map(([key, value]) => [key, copy(value, key)] as const);
  return copies.every(([, value], index) => Object.is(value, entries[index]?.[1]))
    ? undefined
    : copies;
}

function isZod3Schema(value: unknown): value is Zod3Schema {
  return isRecord(value) && isRecord(value["_def"]) && isAnyFunction(value["safeParse"]);
}

function isAnyFunction(value: unknown): value is AnyFunction {
  return typeof value === "function";
}
