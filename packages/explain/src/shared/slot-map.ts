/** Holds a value until it leaves its map or its set. */
interface Slot<V> {
  value: V | undefined;
}

/**
 * A map for entries that come and go with every call, in the order in which they were set. Keys should be plain, such as ids.
 *
 * @remarks When a `Map` or a `Set` outgrows its table, V8 lets the old table refer to the new one. Once one of them has
 * survived a full collection of garbage, so do all that follow it, each with what it held when it was replaced: with
 * entries that hold a request, that cost a call in the proxy half as much again. Here it held a slot, which is empty by then.
 */
export class SlotMap<K, V> {
  /** The entries, in the order in which they were set. */
  readonly #slots = new Map<K, Slot<V>>();
  /** The key of the last entry, which stays where it is. */
  #last: K | undefined;

  /** How many entries there are. */
  get size(): number {
    return this.#slots.size;
  }

  /** The value of an entry. */
  get(key: K): V | undefined {
    return this.#slots.get(key)?.value;
  }

  /** Adds or replaces an entry, which is the last one from now on. */
  set(key: K, value: V): void {
    const slot = this.#slots.get(key) ?? { value };
    slot.value = value;
    if (this.#last !== key) this.#slots.delete(key);
    this.#slots.set(key, slot);
    this.#last = key;
  }

  /** Removes an entry and returns its value. */
  take(key: K): V | undefined {
    const slot = this.#slots.get(key);
    if (slot === undefined) return undefined;
    const { value } = slot;
    slot.value = undefined;
    this.#slots.delete(key);
    if (this.#last === key) this.#last = undefined;
    return value;
  }

  /** The keys, that of the entry that was set first before the others. */
  keys(): MapIterator<K> {
    return this.#slots.keys();
  }

  /** The values in the same order. */
  *values(): Generator<V> {
    for (const slot of this.#slots.values()) yield slot.value as V;
  }
}

/** A set for values that come and go with every call, in the order in which they came; for the reason of {@link SlotMap}. */
export class SlotSet<V> {
  /** The values, in the order in which they came. */
  readonly #slots = new Set<Slot<V>>();

  /** How many values there are. */
  get size(): number {
    return this.#slots.size;
  }

  /** Adds a value; returns what removes it, which may be called again. */
  add(value: V): () => void {
    const slot: Slot<V> = { value };
    this.#slots.add(slot);
    return () => {
      slot.value = undefined;
      this.#slots.delete(slot);
    };
  }

  /** The values in the order in which they came. */
  *values(): Generator<V> {
    for (const slot of this.#slots) yield slot.value as V;
  }
}
