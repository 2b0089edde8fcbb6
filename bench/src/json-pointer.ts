/** Converts keys to a JSON Pointer. */
export function pointerOf(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The keys of a JSON Pointer. */
export function keysOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The pointer of a child. */
export function childOf(pointer: string, key: string): string {
  return pointer + pointerOf([key]);
}

/** The pointer of the parent; the root is its own parent. */
export function parentOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));
}

/** The last key of a pointer; undefined at the root. */
export function lastKey(pointer: string): string | undefined {
  return keysOf(pointer).at(-1);
}

/** The value at a pointer; undefined if there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  let at = value;
  for (const key of keysOf(pointer)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[key];
  }
  return at;
}

/** A copy with another value at a pointer; unchanged if its parent does not exist. */
export function withValue(value: unknown, pointer: string, next: unknown): unknown {
  return edited(value, pointer, (holder, key) => {
    if (!Array.isArray(holder) || /^\d+$/.test(key)) Reflect.set(holder, key, next);
  });
}

/** A copy without the field at a pointer; the root cannot be left out. */
export function without(value: unknown, pointer: string): unknown {
  if (pointer === "") return value;
  return edited(value, pointer, (holder, key) => {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else Reflect.deleteProperty(holder, key);
  });
}

function edited(
  value: unknown,
  pointer: string,
  edit: (holder: object, key: string) => void,
): unknown {
  // Not structuredClone: items that are one object would stay one.
  const copy = JSON.parse(JSON.stringify({ root: value })) as { readonly root: unknown };
  const [key = "", ...above] = keysOf(`/root${pointer}`).toReversed();
  const holder = valueAt(copy, pointerOf(above.toReversed()));
  if (typeof holder === "object" && holder !== null) edit(holder, key);
  return copy.root;
}
