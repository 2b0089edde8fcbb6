import { createRequire } from "node:module";
import { ToolContractError } from "@toolcontract/core";
import type { StateStore } from "../shared/index.ts";
import { type Frozen, freezeTree } from "./copy-plain-data.ts";
import type { SlotRule } from "./slot-rule.ts";
import { slotNames, storeOfSlots } from "./store-of-slots.ts";
import { UncopyableStateError } from "./uncopyable-state-error.ts";

/** Holds a slot's value while it is drafted. */
interface Box {
  value: unknown;
}

/** Makes a draft of an object, and a function that ends it: `create` of `mutative`. */
export type CreateDraft = (
  base: Box,
  options: { readonly strict: true },
) => readonly [draft: Box, finish: () => Box];

/** Options of `draftStore`. */
export interface DraftStoreOptions {
  /** `create` of the package `mutative`, for bundlers; by default the package is loaded. */
  readonly create?: CreateDraft;
}

/**
 * Makes a store like `slotStore` whose slots are drafts of the package `mutative`: an attempt then costs what it changes in a
 * slot, rather than the slot. It pays for slots of about a megabyte and more.
 *
 * Its slots hold objects, arrays, Map, Set and primitives, and each object is in one place. What a tool puts in a second place
 * is refused if both places were changed, and a copy otherwise. A tool cannot pass what it got to `structuredClone`.
 *
 * @param initial - Is copied; its keys are all the slots that there will be.
 * @throws ToolContractError without the package `mutative`, and for what drafts would get wrong; it names the place.
 */
export function draftStore<State extends object>(
  initial: State,
  options: DraftStoreOptions = {},
): StateStore<State> {
  const slots = slotNames("draftStore", initial);
  const create = options.create ?? loadCreate();
  const tree = new WeakSet();
  return storeOfSlots(initial, new Map(slots.map((slot) => [slot, draftSlot(slot, create, tree)])));
}

function draftSlot(slot: string, create: CreateDraft, tree: WeakSet<object>): SlotRule {
  const freeze = (value: unknown): Frozen => freezeTree(value, slot, tree);
  return {
    isWritable: true,
    freeze,
    view: ({ value }) => value,
    open(frozen) {
      const [box, finish] = create({ value: frozen.value }, { strict: true });
      return {
        box,
        close() {
          const { value } = ended(slot, finish);
          return Object.is(value, frozen.value) ? frozen : freeze(value);
        },
      };
    },
  };
}

function ended(slot: string, finish: () => Box): Box {
  try {
    return finish();
  } catch (cause) {
    const place = { slot, path: `/${slot}`, help: "The cause says what." };
    throw new UncopyableStateError(place, "something that a draft cannot hold", { cause });
  }
}

function loadCreate(): CreateDraft {
  try {
    const { create } = createRequire(import.meta.url)("mutative") as {
      readonly create: CreateDraft;
    };
    return create;
  } catch (cause) {
    throw new ToolContractError(
      "draftStore: the package mutative is missing: npm install mutative@2. " +
        "In a bundle, pass its function: draftStore(initial, { create }).",
      { cause },
    );
  }
}
