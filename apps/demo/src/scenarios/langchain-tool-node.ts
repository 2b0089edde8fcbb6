import { onLangChain } from "../langchain/on-langchain.ts";
import { apiKey, badOrder, goodOrder, importOrder } from "../langchain/orders.ts";
import { callAt } from "../scenario.ts";

/** A custom graph with a ToolNode. */
export const langchainToolNode = onLangChain({
  name: "langchain-tool-node",
  title: "LangGraph: a graph with a ToolNode, wrapTools and promoteInvalidToolCalls",
  story: "A custom graph ends at malformed JSON too, and its ToolNode does not count.",
  secrets: [apiKey],
  runs: "ToolNode",
  tools: [importOrder],
  script: [
    { calls: [{ tool: "import_order", args: '{"customer_email": alice@example.com}' }] },
    {
      learned: ["(arguments) (VAL-004)"],
      calls: [{ tool: "import_order", args: badOrder }],
    },
    {
      learned: ["/customer_email", "/items/0/quantity"],
      calls: [{ tool: "import_order", args: goodOrder }],
    },
    { calls: [], says: "The order is imported." },
  ],
  verify(scene, claim) {
    const { withContract, withoutContract } = scene;
    const attempts = [1, 2].map((turn) => callAt(scene, turn).handled.result.attempt);
    claim(
      "without the contract the graph ends after one request, without an error",
      withoutContract.requests === 1 && withoutContract.last === "",
      withoutContract,
    );
    claim("with it the attempts are counted", attempts.join() === "1,2", attempts);
    claim(
      "only the corrected call runs",
      JSON.stringify(withContract.reached) === JSON.stringify([goodOrder]),
      withContract.reached,
    );
    claim("the model answers", withContract.last === "The order is imported.", withContract.last);
  },
});
