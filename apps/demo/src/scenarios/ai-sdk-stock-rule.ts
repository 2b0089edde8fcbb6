import { onAiSdk } from "../ai-sdk/on-ai-sdk.ts";
import { stockNotNegative } from "../shop/policies.ts";
import { openShop } from "../shop/shop.ts";
import { shopToolSet } from "../shop/tools.ts";
import { callAt } from "../scenario.ts";

/** An order that breaks a rule which only its result shows: it is undone, explained and repeated. */
export const aiSdkStockRule = onAiSdk({
  name: "ai-sdk-stock-rule",
  title: "AI SDK: an order that breaks a stock rule is undone and explained",
  story:
    "Valid arguments can still do the wrong thing: nine pieces are sold of five, and the state keeps it.",
  openShop: (hasContract) => openShop(hasContract ? [stockNotNegative] : undefined),
  openToolbox: (_, shop) => ({ tools: shop ? shopToolSet(shop) : {}, reached: [] }),
  script: [
    { calls: [{ tool: "add_item", args: { sku: "A1", qty: 9 } }] },
    {
      learned: ["order exceeds stock", "lower qty"],
      calls: [{ tool: "add_item", args: { sku: "A1", qty: 2 } }],
    },
    { calls: [], says: "Two pieces are in your cart: nine were not in stock." },
  ],
  verify({ shops, ...scene }, claim) {
    const { result } = callAt(scene, 1).handled;
    claim(
      "without the contract eleven pieces are sold of five",
      shops?.plain.read() === "-6 of A1 in stock, 11 of A1 in the cart",
      shops?.plain.read(),
    );
    claim(
      "the message says that the first order was undone",
      result.content.includes("All its state changes were undone."),
      result.content,
    );
    claim(
      "with it only the second one is kept",
      shops?.guarded.read() === "3 of A1 in stock, 2 of A1 in the cart",
      shops?.guarded.read(),
    );
    claim(
      "the supplier was asked to release what was reserved for the first, and one mail was sent",
      shops?.guarded.outside.join() === "reserve 9,release 9,reserve 2,mail",
      shops?.guarded.outside,
    );
  },
});
