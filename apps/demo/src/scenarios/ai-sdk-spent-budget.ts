import { escalationsOf } from "@toolcontract/ai-sdk";
import { onAiSdk } from "../ai-sdk/on-ai-sdk.ts";
import { stockNotNegative } from "../shop/policies.ts";
import { openShop } from "../shop/shop.ts";
import { shopToolSet } from "../shop/tools.ts";
import { callAt } from "../scenario.ts";

/** A model that breaks the same rule until its budget is spent: the run ends in a typed outcome. */
export const aiSdkSpentBudget = onAiSdk({
  name: "ai-sdk-spent-budget",
  title: "AI SDK: a rule that is broken three times ends in a typed outcome",
  story: "A model that does not understand a rule breaks it until somebody notices.",
  openShop: (hasContract) => openShop(hasContract ? [stockNotNegative] : undefined),
  openToolbox: (_, shop) => ({ tools: shop ? shopToolSet(shop) : {}, reached: [] }),
  script: [
    { calls: [{ tool: "add_item", args: { sku: "A1", qty: 9 } }] },
    { learned: ["lower qty"], calls: [{ tool: "add_item", args: { sku: "A1", qty: 8 } }] },
    { learned: ["lower qty"], calls: [{ tool: "add_item", args: { sku: "A1", qty: 7 } }] },
    { learned: ["Do not call 'add_item' again"], calls: [], says: "I could not order A1." },
  ],
  verify({ shops, ...scene }, claim) {
    const [escalation] = escalationsOf(scene.withContract.steps);
    claim("the third answer is blocked", callAt(scene, 3).handled.status === "blocked");
    claim(
      "the application gets the typed outcome",
      JSON.stringify(escalation?.outcome) ===
        JSON.stringify({
          status: "error",
          error_type: "guardrail_retry_exhausted",
          error_message: "Recoverable guardrail retries exhausted for add_item",
          retriable: false,
          metadata: {
            guardrail_recovery_attempts: 2,
            last_violation_type: "stock_not_negative",
          },
        }),
      escalation?.outcome,
    );
    claim(
      "nothing of the three orders is left",
      shops?.guarded.read() === "5 of A1 in stock, nothing in the cart",
      shops?.guarded.read(),
    );
    claim(
      "without the contract 24 pieces are sold of five",
      shops?.plain.read() === "-19 of A1 in stock, 24 of A1 in the cart",
      shops?.plain.read(),
    );
    claim("the model answers", scene.withContract.steps.at(-1)?.text === "I could not order A1.");
  },
});
