import { ToolContractError } from "@toolcontract/core";
import type { ReadOnly } from "../shared/index.ts";
import type { Frozen } from "./copy-plain-data.ts";
import type { SlotRule } from "./slot-rule.ts";

/** The slots of a store, by name. */
export type SlotRules = ReadonlyMap<string, SlotRule>;

/** What all staged states of a store have in common. */
export interface SlotLayout {
  readonly rules: SlotRules;
  readonly prototype: object;
}

/** Lays out the slots of a store. */
export function slotLayout(rules: SlotRules): SlotLayout {
  return { rules, prototype: noOtherSlots([...rules.keys()]) };
}

/** How a tool reaches a slot. */
interface SlotAccess {
  read(slot: string): unknown;
  write(slot: string, value: unknown): void;
}

/** The state that a tool gets: an accessor for each slot, and nothing else can be set. */
export function stagedState({ rules, prototype }: SlotLayout, access: SlotAccess): object {
  const state = Object.create(prototype) as object;
  for (const slot of rules.keys()) {
    Object.defineProperty(state, slot, {
      enumerable: true,
      get: () => access.read(slot),
      set: (value: unknown) => {
        access.write(slot, value);
      },
    });
  }
  return Object.preventExtensions(state);
}

/** Catches assignments to unknown slots, and throws an error that lists the slots. */
function noOtherSlots(slots: readonly string[]): object {
  return new Proxy(Object.create(null) as object, {
    set(_target, key) {
      throw new ToolContractError(
        `State: there is no slot '${String(key)}'; the slots are ${slots.join(", ")}. ` +
          "Put it into one of them, or into the store's initial state.",
      );
    },
  });
}

/**
 * A frozen view of all slots.
 *
 * @param valueOf - What a slot holds, or a function if that should be found out only if somebody looks.
 */
export function slotsView<State>(
  rules: SlotRules,
  valueOf: (slot: string) => Frozen | (() => Frozen),
): ReadOnly<State> {
  const view = Object.create(null) as object;
  for (const [slot, rule] of rules) {
    const frozen = valueOf(slot);
    const isKnown = typeof frozen !== "function";
    Object.defineProperty(view, slot, {
      enumerable: true,
      ...(isKnown && frozen.isShareable
        ? { value: frozen.value }
        : { get: madeOnce(() => rule.view(isKnown ? frozen : frozen())) }),
    });
  }
  return Object.freeze(view) as ReadOnly<State>;
}

function madeOnce<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
