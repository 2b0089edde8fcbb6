import { isAnyObject } from "@toolcontract/core/adapter";

/** The guarded views of one contract. */
export interface Views {
  /** The view of an object, the same each time; a view is its own. */
  readonly of: <T extends object>(object: T, make: () => T) => T;
  /** The object behind a view; anything else is itself. */
  readonly behind: <T>(object: T) => T;
}

/** Creates a table of views. */
export function createViews(): Views {
  const views = new WeakMap<object, object>();
  const objects = new WeakMap<object, object>();
  return {
    of<T extends object>(object: T, make: () => T): T {
      const known = objects.has(object) ? object : views.get(object);
      if (known) return known as T;
      const view = make();
      views.set(object, view);
      objects.set(view, object);
      return view;
    },
    behind: <T>(object: T): T =>
      isAnyObject(object) ? ((objects.get(object) ?? object) as T) : object,
  };
}

/** A view of a list in which items are shown as their views; what is put in is kept as it is without one. */
export function listView<T>(list: T[], shown: (item: T) => T, kept: (item: T) => T): T[] {
  // Of what is frozen a proxy can show nothing else.
  if (Object.isFrozen(list)) return Object.freeze(list.map(shown)) as T[];
  return new Proxy(list, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      return isAnyObject(value) && Object.hasOwn(target, key) ? shown(value as T) : value;
    },
    set: (target, key, value) => Reflect.set(target, key, kept(value as T)),
  });
}
