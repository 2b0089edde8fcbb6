/**
 * A view of an object in which some members are replaced, for reading and for setting; everything else is the object's.
 * Methods run on the object itself, because its private members are there.
 */
export function viewOf<T extends object>(object: T, members: object): T {
  const methods = new WeakMap<object, unknown>();
  return new Proxy(object, {
    get(target, key) {
      if (Object.hasOwn(members, key)) return Reflect.get(members, key);
      const value: unknown = Reflect.get(target, key, target);
      const isMethod = typeof value === "function" && !Object.hasOwn(target, key);
      if (!isMethod || key === "constructor") return value;
      const bound = methods.get(value) ?? value.bind(target);
      methods.set(value, bound);
      return bound;
    },
    set(target, key, value) {
      const holder = Object.hasOwn(members, key) ? members : target;
      return Reflect.set(holder, key, value, holder);
    },
  });
}
