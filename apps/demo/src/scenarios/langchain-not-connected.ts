import { onLangChain } from "../langchain/on-langchain.ts";
import { connected } from "../shop/policies.ts";
import { openShop } from "../shop/shop.ts";
import { shopTools } from "../shop/tools.ts";
import { callAt } from "../scenario.ts";

/** A terminal guardrail: no other call can succeed, so the first one closes the tool. */
export const langchainNotConnected = onLangChain({
  name: "langchain-not-connected",
  title: "LangChain: a guardrail that no other call can satisfy closes the tool at once",
  story: "If a key is missing, every attempt fails: three of them are two too many.",
  openShop: (hasContract) => openShop(hasContract ? [connected] : undefined),
  tools: shopTools,
  escalate: "drop-tool",
  script: [
    { calls: [{ tool: "add_item", args: { sku: "A1", qty: 2 } }] },
    {
      learned: ["the shop is not connected", "Do not call 'add_item' again"],
      calls: [{ tool: "list_items", args: {} }],
    },
    { calls: [], says: "I cannot order: the shop is not connected. There are screws." },
  ],
  verify({ shops, ...scene }, claim) {
    const { handled } = callAt(scene, 1);
    const outcome = handled.status === "blocked" ? handled.escalation.outcome : undefined;
    claim("the first call is blocked", handled.status === "blocked", handled.status);
    claim(
      "its typed outcome is missing_credentials",
      outcome?.error_type === "missing_credentials",
      outcome,
    );
    claim("nothing was reserved", shops?.guarded.outside.length === 0, shops?.guarded.outside);
    claim("the other tool still runs", callAt(scene, 2).handled.status === "executed");
    claim("the model answers", scene.withContract.last.startsWith("I cannot order"));
  },
});
