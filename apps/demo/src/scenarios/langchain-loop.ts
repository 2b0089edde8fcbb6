import { badOrder, apiKey, createOrder } from "../langchain/orders.ts";
import { onLangChain } from "../langchain/on-langchain.ts";
import { callAt } from "../scenario.ts";

const again = { calls: [{ tool: "create_order", args: badOrder }] };

/** A model that repeats an invalid call. */
export const langchainLoop = onLangChain({
  name: "langchain-loop",
  title: "LangChain: a model that repeats an invalid call",
  story:
    "createAgent does not count: a repeated invalid call is answered again and again, until the graph's step limit discards the whole run.",
  secrets: [apiKey],
  tools: [createOrder],
  script: Array.from({ length: 20 }, () => again),
  verify(scene, claim) {
    const { withContract, withoutContract } = scene;
    const { escalation } = withContract;
    claim(
      "without the contract the model is asked 13 times, then the run throws GraphRecursionError",
      withoutContract.requests === 13 && withoutContract.thrown?.name === "GraphRecursionError",
      [withoutContract.requests, withoutContract.thrown?.name],
    );
    claim(
      "with it the model is asked 3 times, and nothing is thrown",
      withContract.requests === 3 && withContract.thrown === undefined,
      [withContract.requests, String(withContract.thrown)],
    );
    claim("the third answer is blocked", callAt(scene, 3).handled.status === "blocked");
    claim(
      "the last message explains to a person what happened",
      withContract.last === escalation?.summary && withContract.last.includes("Attempt 3"),
      withContract.last,
    );
    claim(
      "the escalation is in the final state, with all three attempts",
      escalation?.attempts === 3 && escalation.history.length === 3,
      escalation,
    );
    claim("the tool never ran", withContract.reached.length === 0);
  },
});
