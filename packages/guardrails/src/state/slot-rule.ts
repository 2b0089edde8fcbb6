import { ToolContractError } from "@toolcontract/core";
import { type Frozen, freezePlainData, readOnlyView, thaw } from "./copy-plain-data.ts";
import { UncopyableStateError } from "./uncopyable-state-error.ts";

/** How attempts are kept apart on one slot. */
export interface SlotRule {
  /** False for a slot that is never written. */
  readonly isWritable: boolean;
  /**
   * Takes what the program or a tool left.
   *
   * @throws UncopyableStateError
   */
  freeze(value: unknown): Frozen;
  /** Makes what one attempt may change. */
  open(frozen: Frozen): Opened;
  /** What a reader gets. */
  view(frozen: Frozen): unknown;
}

/** A slot in the hands of an attempt. */
export interface Opened {
  /** Holds the value, so that the slot can be assigned as a whole. */
  readonly box: { value: unknown };
  /** Takes the value back: the same `Frozen` that was opened if nothing has changed. */
  close(): Frozen;
}

/** How a slot is copied that holds more than plain data, such as an instance of a class. */
export interface Codec<Value> {
  /** Makes a deep copy: nothing that can change is shared with the original. */
  clone(value: Value): Value;
}

/** A slot of plain data: copied in when it is first touched, and out when the attempt is sealed. */
export function copiedSlot(slot: string): SlotRule {
  const freeze = (value: unknown): Frozen => freezePlainData(value, slot);
  return {
    isWritable: true,
    freeze,
    view: (frozen) => readOnlyView(frozen, slot),
    open(frozen) {
      const box = { value: thaw(frozen, slot) };
      // Only primitives can be the same: everything else was copied.
      return {
        box,
        close: () => (Object.is(box.value, frozen.value) ? frozen : freeze(box.value)),
      };
    },
  };
}

/** A read-only slot: frozen once and shared. */
export function readOnlySlot(slot: string): SlotRule {
  const rule = copiedSlot(slot);
  return {
    ...rule,
    isWritable: false,
    open: (frozen) => ({ box: { value: rule.view(frozen) }, close: () => frozen }),
  };
}

/** A slot whose values are copied by a codec. */
export function codecSlot(slot: string, codec: Codec<unknown>): SlotRule {
  const clone = (value: unknown): unknown => {
    try {
      return codec.clone(value);
    } catch (cause) {
      const place = { slot, path: `/${slot}`, help: "Keep only what its clone() accepts." };
      throw new UncopyableStateError(place, "something its codec cannot clone", { cause });
    }
  };
  return {
    isWritable: true,
    freeze(value) {
      const copy = clone(value);
      if (copy === value && typeof value === "object" && value !== null) {
        throw new ToolContractError(`slotStore: the codec of '${slot}' must return a copy.`);
      }
      return { value: copy, isShareable: false, isTree: false };
    },
    view: ({ value }) => clone(value),
    open({ value }) {
      const box = { value: clone(value) };
      return { box, close: () => this.freeze(box.value) };
    },
  };
}
