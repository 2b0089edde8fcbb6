import { ToolContractError } from "@toolcontract/core";
import { jsonPointer } from "@toolcontract/core/adapter";

const MOST_PATH = 200;
/**
 * Thrown for state that cannot be copied, and so could not be rolled back. It names the place, never the value.
 *
 * @example
 * ```ts
 * if (error instanceof UncopyableStateError) console.error(error.message); // names the place in the state
 * ```
 */
export class UncopyableStateError extends ToolContractError {
  override readonly name = "UncopyableStateError";
  /** The slot that holds it. */
  readonly slot: string;
  /** Where in the state, as a JSON Pointer such as `/cart/items/1`. */
  readonly path: string;

  constructor(place: SlotPlace, found: string, options?: ErrorOptions) {
    super(`State: not plain data at ${place.path}: ${found}. ${place.help}`, options);
    this.slot = place.slot;
    this.path = place.path;
  }
}

interface SlotPlace {
  readonly slot: string;
  readonly path: string;
  /** What the slot may hold, and how to keep something else. */
  readonly help: string;
}

/** The help of a slot that is copied. */
export function plainDataHelp(slot: string): string {
  return (
    "Plain data is JSON values, with finite numbers, undefined, bigint, Map, Set, Date, RegExp, Error, ArrayBuffer and its views. " +
    `To keep anything else, pass slotStore a codec: { codecs: { ${slot}: { clone } } }.`
  );
}

/** Writes keys as a JSON Pointer of at most 200 characters. */
export function shownPointer(keys: readonly string[]): string {
  const pointer = jsonPointer(keys);
  return pointer.length > MOST_PATH ? `${pointer.slice(0, MOST_PATH)}…` : pointer;
}
