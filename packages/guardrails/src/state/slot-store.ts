import { ToolContractError } from "@toolcontract/core";
import { type OptionTable, checkMembers, isObject } from "@toolcontract/core/adapter";
import { type StateStore, namesRule, scopeOf, withMethods } from "../shared/index.ts";
import { type Codec, codecSlot, copiedSlot, readOnlySlot, type SlotRule } from "./slot-rule.ts";
import { type ScopedStore, type StateScope, scopedStore } from "./scoped-store.ts";
import { checkSlotNames, slotNames, storeOfSlots } from "./store-of-slots.ts";

/**
 * Options of `slotStore`.
 *
 * @example
 * ```ts
 * const options: SlotStoreOptions<{ cart: string[]; user: string }> = { readonly: ["user"] };
 * ```
 * @see docs/attempts-and-rollback.md
 */
export interface SlotStoreOptions<State> {
  /**
   * Whose state it is: of each `conversation`, of each `user` (`context.user`), or of whoever a function of the context names. Locks
   * are then theirs, too.
   *
   * @default one state, and one set of locks, for all conversations and users
   */
  readonly scope?: StateScope;
  /** Slots that no tool writes, such as reference data: frozen once and shared, so that reading them costs nothing. */
  readonly readonly?: readonly (keyof State & string)[];
  /** How slots are copied that hold more than plain data. */
  readonly codecs?: { readonly [Slot in keyof State]?: Codec<State[Slot]> };
}

const codecRow = withMethods("an object with a function clone(value)", "clone");

const SLOT_STORE_OPTIONS: OptionTable<keyof SlotStoreOptions<object>> = {
  scope: scopeOf("conversation", "user", "tenant"),
  readonly: namesRule("slots", "stock"),
  codecs: {
    ...isObject,
    each: { ...codecRow, fits: (value) => value === undefined || codecRow.fits(value) },
  },
};

/**
 * Makes a store in memory. **All conversations and users share its state**, unless `scope` says otherwise. Every top-level key of the state is a slot, which an attempt copies when it first touches it.
 *
 * The state is plain data: JSON values, undefined, bigint, Map, Set, Date, RegExp, Error, ArrayBuffer and its views.
 *
 * @param initial - Is copied; its keys are all the slots that there will be.
 * @throws ToolContractError if the state could not be rolled back; the error names the place.
 * @example
 * ```ts
 * const store = slotStore({ stock: { A1: 5 } });
 * const guardrails = createGuardrails({ store, effects: { add_item: "state" }, guardrails: [] });
 * ```
 * @see docs/attempts-and-rollback.md
 */
export function slotStore<State extends object>(
  initial: State,
  options: SlotStoreOptions<State> & { readonly scope: StateScope },
): ScopedStore<State>;
export function slotStore<State extends object>(
  initial: State,
  options?: SlotStoreOptions<State>,
): StateStore<State>;
export function slotStore<State extends object>(
  initial: State,
  options: SlotStoreOptions<State> = {},
): StateStore<State> {
  const slots = slotNames("slotStore", initial);
  checkMembers("slotStore", options, SLOT_STORE_OPTIONS);
  const { readonly = [] } = options;
  const codecs = codecsOf<State>(options);
  checkSlotNames("slotStore, option readonly", slots, readonly);
  checkSlotNames("slotStore, option codecs", slots, [...codecs.keys()]);
  const readOnly = new Set<string>(readonly);
  const ruleOf = (slot: string): SlotRule => {
    const codec = codecs.get(slot);
    if (codec === undefined) return readOnly.has(slot) ? readOnlySlot(slot) : copiedSlot(slot);
    if (!readOnly.has(slot)) return codecSlot(slot, codec);
    throw new ToolContractError(
      `slotStore: the slot '${slot}' has a codec, so it cannot be frozen; take it out of readonly.`,
    );
  };
  const template = storeOfSlots(initial, new Map(slots.map((slot) => [slot, ruleOf(slot)])));
  return options.scope === undefined ? template : scopedStore(template, options.scope);
}

function codecsOf<State>({ codecs = {} }: SlotStoreOptions<State>): Map<string, Codec<unknown>> {
  const entries = Object.entries<Codec<unknown> | undefined>(codecs);
  return new Map(entries.flatMap(([slot, codec]) => (codec ? [[slot, codec]] : [])));
}
