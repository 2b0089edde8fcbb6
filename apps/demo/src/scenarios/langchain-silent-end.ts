import { onLangChain } from "../langchain/on-langchain.ts";
import { createOrder, goodOrder } from "../langchain/orders.ts";
import { callAt } from "../scenario.ts";

const cut = '{"customer_email":"alice@example.com","items":[{"sku":"A-1","quant';

/** Arguments that are not JSON. */
export const langchainSilentEnd = onLangChain({
  name: "langchain-silent-end",
  title: "LangChain: arguments that are not JSON",
  story:
    "createAgent ignores calls whose JSON is malformed: the run ends with an empty message and no error.",
  tools: [createOrder],
  script: [
    { calls: [{ tool: "create_order", args: cut }], finishReason: "length" },
    {
      learned: ["Send the whole call again"],
      calls: [{ tool: "create_order", args: goodOrder }],
    },
    { calls: [], says: "The order is placed." },
  ],
  verify(scene, claim) {
    const { withContract, withoutContract } = scene;
    claim(
      "without the contract the run ends at once: an empty message, no answer, nothing thrown",
      withoutContract.requests === 1 &&
        withoutContract.last === "" &&
        withoutContract.answers.size === 0 &&
        withoutContract.thrown === undefined,
      withoutContract,
    );
    claim(
      "with it the code is that of cut output",
      callAt(scene, 1).handled.result.errors?.[0]?.errorCode === "VAL-011",
    );
    claim(
      "the cut call did not run, the complete one did",
      JSON.stringify(withContract.reached) === JSON.stringify([goodOrder]),
      withContract.reached,
    );
    claim("the model answers", withContract.last === "The order is placed.", withContract.last);
  },
});
