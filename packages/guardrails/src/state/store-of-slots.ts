import { ToolContractError } from "@toolcontract/core";
import type { ReadOnly, Staged, StateStore } from "../shared/index.ts";
import { classOf } from "./built-ins.ts";
import type { Frozen } from "./copy-plain-data.ts";
import type { SlotRule } from "./slot-rule.ts";
import { SlotStage, type SlotSource } from "./slot-stage.ts";
import { type SlotLayout, slotLayout, slotsView } from "./slot-views.ts";

/** A store in memory whose slots are the top-level keys of its state. */
export class StoreOfSlots<State extends object> implements StateStore<State> {
  readonly slots: readonly string[];
  readonly #layout: SlotLayout;
  readonly #committed: Map<string, Frozen>;
  readonly #source: SlotSource;
  #view: ReadOnly<State> | undefined;

  constructor(rules: ReadonlyMap<string, SlotRule>, committed: Map<string, Frozen>) {
    this.#committed = committed;
    this.#layout = slotLayout(rules);
    this.slots = Object.freeze([...rules.keys()]);
    this.#source = {
      version: (slot) => this.#valueOf(slot),
      current: (slot) => this.#valueOf(slot),
      allow: () => undefined,
      put: (slot, { value, isChanged }) => {
        if (!isChanged) return;
        this.#committed.set(slot, value);
        this.#view = undefined;
      },
    };
  }

  /** Another store that begins with what is committed in this one. */
  fork(): StoreOfSlots<State> {
    const { rules } = this.#layout;
    return new StoreOfSlots(rules, new Map(this.#committed));
  }

  get state(): ReadOnly<State> {
    this.#view ??= slotsView<State>(this.#layout.rules, (slot) => this.#valueOf(slot));
    return this.#view;
  }

  begin(parent?: Staged<State>, slots?: readonly string[]): Staged<State> {
    checkSlotNames("begin", this.slots, slots ?? []);
    if (parent === undefined) return new SlotStage(this.#layout, this.#source, slots);
    if (parent instanceof SlotStage && parent.isOf(this.#layout)) {
      return new SlotStage(this.#layout, parent, slots);
    }
    throw new ToolContractError(
      "StateStore.begin: the parent must be an attempt of the same store.",
    );
  }

  #valueOf(slot: string): Frozen {
    const value = this.#committed.get(slot);
    if (value === undefined) throw new ToolContractError(`State: there is no slot '${slot}'.`);
    return value;
  }
}

/** Makes a store in memory that begins with a copy of a state. */
export function storeOfSlots<State extends object>(
  initial: State,
  rules: ReadonlyMap<string, SlotRule>,
): StoreOfSlots<State> {
  const committed = [...rules].map(
    ([slot, rule]) => [slot, rule.freeze(initial[slot as keyof State])] as const,
  );
  return new StoreOfSlots(rules, new Map(committed));
}

/** The slots of an initial state; throws if it is not an object of slots. */
export function slotNames(where: string, initial: unknown): readonly string[] {
  if (typeof initial !== "object" || initial === null) {
    throw new ToolContractError(
      `${where}: pass the initial state as an object of slots, such as ${where}({ cart: [] }).`,
    );
  }
  const prototype: unknown = Object.getPrototypeOf(initial);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new ToolContractError(
      `${where}: the initial state must be a plain object whose keys are the slots, such as ${where}({ cart }), ` +
        `but it is of the class ${classOf(prototype)}.`,
    );
  }
  return Reflect.ownKeys(initial).map((key) => {
    const property = Object.getOwnPropertyDescriptor(initial, key);
    if (typeof key === "string" && property?.enumerable === true && "value" in property) return key;
    throw new ToolContractError(
      `${where}: the slot '${String(key)}' must be an ordinary property; it is a symbol, an accessor or hidden.`,
    );
  });
}

/** Throws if one of the names is not a slot. */
export function checkSlotNames(
  where: string,
  slots: readonly string[],
  names: readonly string[],
): void {
  const unknown = names.find((name) => !slots.includes(name));
  if (unknown === undefined) return;
  throw new ToolContractError(
    `${where}: there is no slot '${unknown}' in the store; its slots are ${slots.join(", ")}.`,
  );
}
