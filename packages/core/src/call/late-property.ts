import type { ValidationError } from "@toolcontract/explain";

/** What is found when somebody reads it. */
interface LateProperties {
  /** Copies have what was found. */
  readonly advisories: readonly ValidationError[];
  /** No copy and no inspector has it. */
  readonly argumentsHash: string;
}

/** Hands out the object that it is given, so that a subclass adds its private fields to that. */
const Given = function given(object: object): object {
  return object;
} as unknown as new (object: object) => object;

/** What a property of an object is found by; private, so that no copy and no inspector shows it. */
class Late extends Given {
  readonly #find: () => unknown;

  constructor(object: object, find: () => unknown) {
    super(object);
    this.#find = find;
  }

  /** One for all objects: a getter of its own would cost each of them a hidden class, which only a full collection frees. */
  static get(this: Late): unknown {
    return this.#find();
  }

  static isIn(object: object): boolean {
    return #find in object;
  }
}

// oxlint-disable-next-line typescript/unbound-method -- The object that has the property is `this`.
const { get } = Late;
const PROPERTIES = {
  advisories: { get, enumerable: true, configurable: true },
  // A getter too, because inspectors print hidden values but do not run getters.
  argumentsHash: { get },
};

/** Gives an object a property that is found when somebody reads it. */
export function withLate<T extends object, Name extends keyof LateProperties>(
  object: T,
  name: Name,
  find: () => LateProperties[Name],
): T & Pick<LateProperties, Name> {
  return Object.defineProperty(new Late(object, find), name, PROPERTIES[name]) as never;
}

/** Whether {@link withLate} gave an object its advisories, and nobody has replaced them. */
export function hasLateAdvisories(object: object): boolean {
  return Late.isIn(object) && Object.getOwnPropertyDescriptor(object, "advisories")?.get === get;
}
