import type { Guardrail } from "@toolcontract/guardrails";
import type { Order, ShopState } from "./shop.ts";

/** Looks at what a call has done, before anybody else sees it. */
export const stockNotNegative: Guardrail<ShopState, Order> = {
  name: "stock_not_negative",
  tools: ["add_item"],
  stage: "commit",
  check: ({ state }) =>
    Object.values(state.stock).some((left) => left < 0) && {
      message: "order exceeds stock",
      fieldPath: "/qty",
      hint: "lower qty",
    },
};

/** Nothing that the model sends can connect the shop. */
export const connected: Guardrail<ShopState, Order> = {
  name: "shop_connected",
  tools: ["add_item"],
  class: "terminal_guardrail",
  reason: "missing_credentials",
  check: () => "the shop is not connected",
};
