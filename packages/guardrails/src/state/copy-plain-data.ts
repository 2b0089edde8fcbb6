import { classOf, isErrorPrototype, viewConstructor } from "./built-ins.ts";
import { freezeCopy } from "./freeze-copy.ts";
import { plainDataHelp, shownPointer, UncopyableStateError } from "./uncopyable-state-error.ts";

/** A copy that readers share. */
export interface Frozen {
  readonly value: unknown;
  /** False if it holds what cannot be frozen (bytes, regular expressions): then each reader gets a copy. */
  readonly isShareable: boolean;
  /** True if no object is in two places: then copying it again needs no memory of what was copied. */
  readonly isTree: boolean;
}

const MOST_DEPTH = 1_000;

/**
 * Copies plain data of any origin into a deeply frozen value that shares nothing with it.
 *
 * Its objects have no prototype: `"constructor" in state.stock` is false, and `state.used[name]` finds nothing that a tool has not put there.
 *
 * @throws UncopyableStateError also for NaN and infinite numbers: a comparison with NaN is false, so a check of it lets everything pass.
 */
export function freezePlainData(value: unknown, slot: string): Frozen {
  return frozen(value, { slot, isFrozen: true, isTrusted: false, isState: true });
}

function frozen(value: unknown, manner: Manner): Frozen {
  const copier = new PlainDataCopier(manner);
  const copy = copier.copy(value);
  return { value: copy, isShareable: copier.isShareable, isTree: copier.isTree };
}

/** Copies what `freezePlainData` made into values that can be changed. */
export function thaw({ value, isTree }: Frozen, slot: string): unknown {
  return new PlainDataCopier({ slot, isFrozen: false, isTrusted: true, isTree }).copy(value);
}

/** What a reader gets: the value itself, or a copy if the value could be changed. */
export function readOnlyView({ value, isShareable, isTree }: Frozen, slot: string): unknown {
  if (isShareable) return value;
  return new PlainDataCopier({ slot, isFrozen: true, isTrusted: true, isTree }).copy(value);
}

/** Returns a deep-frozen copy of plain data; any other value is returned unchanged. */
export function readOnlyCopy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  try {
    return readOnlyView(frozen(value, { slot: "", isFrozen: true, isTrusted: false }), "");
  } catch {
    return value;
  }
}

interface Manner {
  /** The first key of a path that is reported. */
  readonly slot: string;
  readonly isFrozen: boolean;
  /** True for what was checked when it was frozen. */
  readonly isTrusted: boolean;
  /** True for what is known to be a tree. */
  readonly isTree?: boolean;
  /** True for what a slot is to hold: objects lose their prototype, and numbers must be finite. */
  readonly isState?: boolean;
}

/** Copies one value. It keeps aliases, cycles and the order of keys, and never runs a getter. */
class PlainDataCopier {
  isShareable = true;
  isTree = true;
  readonly #manner: Manner;
  readonly #copies = new Map<object, object>();
  /** The keys that lead to what is being copied, valid up to the depth: a path is put together only for an error. */
  readonly #trail: (string | number)[];
  #depth = 0;

  constructor(manner: Manner) {
    this.#manner = manner;
    this.#trail = [manner.slot];
  }

  copy(value: unknown): unknown {
    try {
      return this.#copyAny(value);
    } catch (error) {
      if (error instanceof UncopyableStateError) throw error;
      // A revoked proxy, a detached buffer, or an object that only looks like a built-in one.
      return this.#refuse("an object that cannot be read");
    }
  }

  #copyAny(value: unknown): unknown {
    if (typeof value === "object") return value === null ? null : this.#copyObject(value);
    if (typeof value === "function" || typeof value === "symbol") this.#refuse(typeof value);
    if (this.#manner.isState === true && isLost(value)) this.#refuse(String(value));
    return value;
  }

  #copyChild(key: string | number, child: unknown): unknown {
    this.#depth += 1;
    this.#trail[this.#depth] = key;
    const copy = this.#copyAny(child);
    this.#depth -= 1;
    return copy;
  }

  #copyObject(value: object): object {
    const known = this.#copies.get(value);
    if (known !== undefined) {
      this.isTree = false;
      return known;
    }
    if (this.#depth === MOST_DEPTH) this.#refuse(`nested more than ${MOST_DEPTH} deep`);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === Object.prototype) return this.#copyRecord(value, prototype);
    if (prototype === Array.prototype && Array.isArray(value)) return this.#copyArray(value);
    if (prototype === null) return this.#copyRecord(value, prototype);
    if (isErrorPrototype(prototype)) return this.#copyError(value, prototype);
    return this.#copyBuiltIn(value, prototype);
  }

  #copyRecord(value: object, prototype: object | null): object {
    const keys = Object.keys(value);
    if (!this.#manner.isTrusted) this.#checkProperties(value, keys);
    const copy = this.#keep(
      value,
      prototype === null || this.#manner.isState === true
        ? Object.assign(Object.create(null) as object, value)
        : { ...value },
    );
    for (const key of keys) {
      const child: unknown = copy[key as never];
      if (!this.#isKept(child)) putMember(copy, key, this.#copyChild(key, child));
    }
    return this.#manner.isFrozen ? Object.freeze(copy) : copy;
  }

  /** Whether a value is its own copy. */
  #isKept(value: unknown): boolean {
    return isPrimitive(value) && !(this.#manner.isState === true && isLost(value));
  }

  #checkProperties(value: object, keys: readonly string[]): void {
    if (Object.getOwnPropertySymbols(value).length > 0) this.#refuse("object with a symbol key");
    for (const key of keys) this.#dataProperty(value, key);
    const names = Object.getOwnPropertyNames(value);
    if (names.length === keys.length) return;
    const hidden = names.find((name) => !keys.includes(name));
    this.#refuse("property that is not enumerable", hidden);
  }

  #dataProperty(value: object, key: string): PropertyDescriptor {
    const property = Object.getOwnPropertyDescriptor(value, key);
    return property && "value" in property ? property : this.#refuse("accessor", key);
  }

  #copyArray(value: readonly unknown[]): object {
    // The names of an array end with its length, unless it has more than elements.
    const isPlain =
      this.#manner.isTrusted ||
      (Object.getOwnPropertyNames(value).at(-1) === "length" &&
        Object.getOwnPropertySymbols(value).length === 0);
    if (!isPlain) this.#refuse("array with properties of its own");
    const copy: unknown[] = this.#keep(value, []);
    // A hole stays one: its index is not in the array.
    for (let index = 0; index < value.length; index += 1) {
      const element = value[index];
      if (!this.#isKept(element)) copy[index] = this.#copyChild(index, element);
      else if (element !== undefined || index in value) copy[index] = element;
    }
    copy.length = value.length;
    return this.#manner.isFrozen ? Object.freeze(copy) : copy;
  }

  #copyError(value: object, prototype: object): object {
    const copy = this.#keep(value, new Error());
    Object.setPrototypeOf(copy, prototype);
    if (Object.getOwnPropertySymbols(value).length > 0) this.#refuse("object with a symbol key");
    for (const key of Object.getOwnPropertyNames(value)) {
      // In newer engines the stack is an accessor.
      const { value: child, enumerable = false } =
        key === "stack" ? { value: (value as Error).stack } : this.#dataProperty(value, key);
      define(copy, key, this.#copyChild(key, child), enumerable);
    }
    return this.#manner.isFrozen ? Object.freeze(copy) : copy;
  }

  #copyBuiltIn(value: object, prototype: unknown): object {
    const View = viewConstructor(prototype);
    if (View !== undefined) return this.#copyView(value as Uint8Array<ArrayBuffer>, View);
    const copy = this.#copyContent(value, prototype);
    if (Object.keys(value).length > 0)
      this.#refuse(`${classOf(prototype)} with properties of its own`);
    return copy;
  }

  #copyContent(value: object, prototype: unknown): object {
    switch (prototype) {
      case Map.prototype:
        return this.#copyMap(value as Map<unknown, unknown>);
      case Set.prototype:
        return this.#copySet(value as Set<unknown>);
      case Date.prototype:
        return this.#keep(value, this.#frozenIfAsked(new Date((value as Date).getTime())));
      case RegExp.prototype:
        return this.#copyRegExp(value as RegExp);
      case ArrayBuffer.prototype:
        return this.#copyBuffer(value as ArrayBuffer);
      default:
        return this.#refuse(classOf(prototype));
    }
  }

  #copyMap(value: ReadonlyMap<unknown, unknown>): object {
    const copy = this.#keep(value, new Map<unknown, unknown>());
    for (const [key, item] of value) {
      const name = typeof key === "string" ? key : copy.size;
      copy.set(this.#copyChild(name, key), this.#copyChild(name, item));
    }
    return this.#frozenIfAsked(copy);
  }

  #copySet(value: ReadonlySet<unknown>): object {
    const copy = this.#keep(value, new Set<unknown>());
    for (const item of value) copy.add(this.#copyChild(copy.size, item));
    return this.#frozenIfAsked(copy);
  }

  #copyRegExp(value: RegExp): object {
    // Matching moves its `lastIndex`: frozen, it would throw.
    this.isShareable = false;
    const copy = new RegExp(value);
    copy.lastIndex = value.lastIndex;
    return this.#keep(value, copy);
  }

  #copyBuffer(value: ArrayBuffer): object {
    // What the language level of this package does not know yet.
    const { resizable = false } = value as { readonly resizable?: boolean };
    if (resizable) this.#refuse("resizable ArrayBuffer");
    this.isShareable = false;
    return this.#keep(value, value.slice(0));
  }

  /** Two views of one buffer stay so. */
  #copyView(value: Uint8Array<ArrayBuffer>, View: typeof Uint8Array): object {
    const buffer = this.#copyObject(value.buffer) as ArrayBuffer;
    const length = value.length ?? value.byteLength;
    return this.#keep(value, new View(buffer, value.byteOffset, length));
  }

  #keep<Copy extends object>(value: object, copy: Copy): Copy {
    if (this.#manner.isTree !== true) this.#copies.set(value, copy);
    return copy;
  }

  #frozenIfAsked<Copy extends object>(copy: Copy): Copy {
    return this.#manner.isFrozen ? freezeCopy(copy) : copy;
  }

  #refuse(found: string, key?: string): never {
    const { slot } = this.#manner;
    const keys = [...this.#trail.slice(0, this.#depth + 1), ...(key === undefined ? [] : [key])];
    const place = { slot, path: shownPointer(keys.map(String)), help: plainDataHelp(slot) };
    throw new UncopyableStateError(place, found);
  }
}

/** Whether a number is NaN or infinite. */
function isLost(value: unknown): value is number {
  return typeof value === "number" && !Number.isFinite(value);
}

function isPrimitive(value: unknown): boolean {
  if (typeof value === "object") return value === null;
  return typeof value !== "function" && typeof value !== "symbol";
}

function putMember(copy: object, key: string, value: unknown): void {
  // Assigned, this one name would set the prototype.
  if (key === "__proto__") define(copy, key, value, true);
  else copy[key as never] = value as never;
}

function define(copy: object, key: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(copy, key, { value, enumerable, writable: true, configurable: true });
}
