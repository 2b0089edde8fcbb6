import type { ValidationError } from "@toolcontract/explain";

type Advisories = readonly ValidationError[];

/** Hands out the object that it is given, so that a subclass adds its private fields to that. */
const Given = function given(object: object): object {
  return object;
} as unknown as new (object: object) => object;

/** What a property of an object is read by; private, so that no copy and no inspector shows it. */
class Late extends Given {
  readonly #find: () => unknown;

  constructor(object: object, find: () => unknown) {
    super(object);
    this.#find = find;
  }

  /** One for all objects: a getter of its own would cost each of them a hidden class, which only a full collection frees. */
  static readonly property = {
    enumerable: true,
    configurable: true,
    get(this: Late): unknown {
      return this.#find();
    },
  };

  static isIn(object: object): boolean {
    return #find in object;
  }
}

// A getter even so: inspectors print hidden values, but do not run getters.
const HIDDEN = { ...Late.property, enumerable: false };

/** Gives an object advisories that are looked for when somebody reads them; copies have what was found. */
export function withLateAdvisories<T extends object>(
  object: T,
  find: () => Advisories,
): T & { readonly advisories: Advisories } {
  const late: object = new Late(object, find);
  return Object.defineProperty(late, "advisories", Late.property) as T & {
    readonly advisories: Advisories;
  };
}

/** Gives an object a hash that only who asks for it reads: no copy and no inspector has it. */
export function withHiddenHash<T extends object>(object: T, hash: string): T {
  const late: object = new Late(object, () => hash);
  return Object.defineProperty(late, "argumentsHash", HIDDEN) as T;
}

/** Whether {@link withLateAdvisories} made the advisories of an object. */
export function hasLateAdvisories(object: object): boolean {
  return Late.isIn(object);
}
