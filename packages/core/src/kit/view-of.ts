/**
 * A view of an object in which some members are replaced, for reading, setting and defining; everything else is the object's, now and
 * later. Methods run on the object itself, because its private members are there.
 */
export function viewOf<T extends object>(object: T, members: object): T {
  const methods = new WeakMap<object, unknown>();
  const holderOf = (key: PropertyKey): object => (Object.hasOwn(members, key) ? members : object);
  // A stand-in for the object: a proxy must show what its own target has frozen as it is.
  const target = Object.create(Object.getPrototypeOf(object) as object | null) as T;
  return new Proxy(target, {
    get(_, key) {
      const holder = holderOf(key);
      const value: unknown = Reflect.get(holder, key, holder);
      const isMethod = typeof value === "function" && !Object.hasOwn(holder, key);
      if (!isMethod || key === "constructor") return value;
      const bound = methods.get(value) ?? value.bind(object);
      methods.set(value, bound);
      return bound;
    },
    set(_, key, value) {
      const holder = holderOf(key);
      return Reflect.set(holder, key, value, holder);
    },
    has: (_, key) => Reflect.has(holderOf(key), key),
    deleteProperty: (_, key) => Reflect.deleteProperty(holderOf(key), key),
    defineProperty(_, key, descriptor) {
      // What can never change again must hold for the target too.
      if (descriptor.configurable === false) Reflect.defineProperty(target, key, descriptor);
      return Reflect.defineProperty(holderOf(key), key, descriptor);
    },
    ownKeys: () => Reflect.ownKeys(object),
    getOwnPropertyDescriptor(_, key) {
      const fixed = Reflect.getOwnPropertyDescriptor(target, key);
      if (fixed || !Object.hasOwn(object, key)) return fixed;
      const own = Reflect.getOwnPropertyDescriptor(holderOf(key), key);
      return own && { ...own, configurable: true };
    },
  });
}
