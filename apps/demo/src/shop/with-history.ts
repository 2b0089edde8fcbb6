import type { ContractOptions } from "@toolcontract/core";
import type { TurnRecord } from "../scenario.ts";
import type { Shop } from "./shop.ts";

/** The option of a contract whose tools are those of a shop. */
export function guardrailsOf(shop: Shop | undefined): Pick<ContractOptions, "guardrails"> {
  return shop?.guardrails ? { guardrails: shop.guardrails } : {};
}

/** Puts what each call did to the shop's state beside its record. */
export function withHistory(
  turns: readonly TurnRecord[],
  shop: Shop | undefined,
): readonly TurnRecord[] {
  if (!shop) return turns;
  return turns.map(({ message, calls }) => ({
    message,
    calls: calls.map((record) => {
      const state = shop.history.get(record.call.id);
      return state === undefined ? record : { ...record, state };
    }),
  }));
}
