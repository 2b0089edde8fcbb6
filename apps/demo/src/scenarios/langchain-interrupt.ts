import { onLangChain } from "../langchain/on-langchain.ts";
import { apiKey, badOrder, createOrder, goodOrder } from "../langchain/orders.ts";
import { callAt } from "../scenario.ts";

const again = { calls: [{ tool: "create_order", args: badOrder }] };

/** Three failures and `escalate: "interrupt"`: a person corrects the call. */
export const langchainInterrupt = onLangChain({
  name: "langchain-interrupt",
  title: 'LangChain: three failures and escalate: "interrupt", a person corrects the call',
  story:
    "LangGraph can wait for a person, but createAgent does not ask one, however often a call fails.",
  secrets: [apiKey],
  tools: [createOrder],
  escalate: "interrupt",
  person: { args: goodOrder },
  script: [again, again, again, { calls: [], says: "The order is placed." }],
  verify(scene, claim) {
    const { withContract, withoutContract } = scene;
    const asked = JSON.stringify(withContract.interrupts);
    claim(
      "the run waits once for a person, who gets the escalation",
      withContract.interrupts.length === 1 && asked.includes('"attempts":3'),
      asked,
    );
    claim("which has no key", !asked.includes(apiKey));
    claim("the third call was blocked", callAt(scene, 3).handled.status === "blocked");
    claim(
      "the person's arguments run, and nothing else",
      JSON.stringify(withContract.reached) === JSON.stringify([goodOrder]),
      withContract.reached,
    );
    claim(
      "the model reads the result and continues",
      withContract.answers.get("call_3_1")?.text === "Order 4711 is placed" &&
        withContract.last === "The order is placed.",
      [...withContract.answers.values()],
    );
    claim(
      "without the contract nobody is asked, and no order is placed",
      withoutContract.interrupts.length === 0 && withoutContract.reached.length === 0,
    );
  },
});
