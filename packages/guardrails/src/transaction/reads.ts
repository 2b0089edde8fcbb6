import type { HeldLocks } from "./locks.ts";

/** Which slots guardrails have read without their being locked. */
export interface Reads {
  /** A view that notes what is read of it. */
  watch(view: unknown): unknown;
  /** The slots that were read; `*` is the whole of a store without slots. */
  slots(): readonly string[];
}

/** Notes what guardrails read of the slots that are not locked. */
export function readsOf({ others }: Pick<HeldLocks, "others">): Reads {
  if (others.length === 0) return NO_READS;
  const read = new Set<string>();
  const note = (key: PropertyKey): void => {
    const slot = others.find((one) => one === key || one === "*");
    if (slot !== undefined) read.add(slot);
  };
  return {
    watch(view) {
      if (typeof view !== "object" || view === null) return view;
      return new Proxy(view, {
        get(target, key) {
          note(key);
          return Reflect.get(target, key) as unknown;
        },
        getOwnPropertyDescriptor(target, key) {
          note(key);
          return Reflect.getOwnPropertyDescriptor(target, key);
        },
      });
    },
    slots: () => [...read],
  };
}

const NO_READS: Reads = Object.freeze({ watch: (view: unknown) => view, slots: () => [] });
