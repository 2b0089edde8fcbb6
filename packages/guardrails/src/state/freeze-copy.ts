import { ToolContractError } from "@toolcontract/core";

/** Freezes a copy. The content of maps, sets and dates cannot be frozen: what would change it throws. */
export function freezeCopy<Copy extends object>(copy: Copy): Copy {
  const kind = GUARDED.find(({ prototype }) => Object.getPrototypeOf(copy) === prototype);
  if (kind !== undefined) Object.defineProperties(copy, kind.guards);
  return Object.freeze(copy);
}

const GUARDED = [
  withoutMutators(Map.prototype, ["set", "delete", "clear", "getOrInsert", "getOrInsertComputed"]),
  withoutMutators(Set.prototype, ["add", "delete", "clear"]),
  withoutMutators(
    Date.prototype,
    Object.getOwnPropertyNames(Date.prototype).filter((name) => name.startsWith("set")),
  ),
];

function withoutMutators(prototype: object, mutators: readonly string[]) {
  const refuse = (): never => {
    throw new ToolContractError(
      "This state is read-only. A tool changes state through its attempt: currentAttempt().state.",
    );
  };
  const existing = mutators.filter((name) => name in prototype);
  return {
    prototype,
    guards: Object.fromEntries(existing.map((name) => [name, { value: refuse }])),
  };
}
