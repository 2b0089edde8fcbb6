import { onLangChain } from "../langchain/on-langchain.ts";
import { openShop } from "../shop/shop.ts";
import { shopTools } from "../shop/tools.ts";
import { callAt } from "../scenario.ts";

/** A tool that fails after it has reserved: its state is dropped, and its reservation released. */
export const langchainCompensation = onLangChain({
  name: "langchain-compensation",
  title: "LangChain: a tool that fails half-way is undone, also at the supplier",
  story: "A tool that throws after its first effect leaves half of its work behind.",
  openShop: (hasContract) => openShop(hasContract ? [] : undefined),
  tools: shopTools,
  script: [
    { calls: [{ tool: "add_item", args: { sku: "A1", qty: 4 } }] },
    {
      learned: ["the supplier has only 3 of A1"],
      calls: [{ tool: "add_item", args: { sku: "A1", qty: 3 } }],
    },
    { calls: [], says: "Three pieces are in your cart." },
  ],
  verify({ shops, ...scene }, claim) {
    const { lane, content } = callAt(scene, 1).handled.result;
    claim(
      "without the contract both orders are in the cart: seven pieces of five",
      shops?.plain.read() === "-2 of A1 in stock, 7 of A1 in the cart",
      shops?.plain.read(),
    );
    claim("with it the failure is counted in the outcome lane", lane === "outcome", lane);
    claim(
      "the message says that it was undone",
      content.includes("All its state changes were undone."),
      content,
    );
    claim(
      "the reservation was released, and the mail waited for the order that succeeded",
      shops?.guarded.outside.join() === "reserve 4,release 4,reserve 3,mail",
      shops?.guarded.outside,
    );
    claim(
      "the cart has the second order alone",
      shops?.guarded.read() === "2 of A1 in stock, 3 of A1 in the cart",
      shops?.guarded.read(),
    );
  },
});
