import { apiKey, badOrder, createOrder, goodOrder, importOrder } from "../langchain/orders.ts";
import { onLangChain } from "../langchain/on-langchain.ts";
import { producedText } from "../produced-text.ts";
import { callAt } from "../scenario.ts";

const frame = /^ {4}at .*\n?/gm;

/** What the model reads about an invalid call, from createAgent and from the contract. */
export const langchainDefaultText = onLangChain({
  name: "langchain-default-text",
  title: "LangChain: what createAgent says about an invalid call",
  story:
    "createAgent answers an invalid call with all its values and a stack trace; for a JSON Schema tool, such as any MCP tool, it gives no reason.",
  secrets: [apiKey],
  tools: [createOrder, importOrder],
  script: [
    {
      calls: [
        { tool: "create_order", args: badOrder },
        { tool: "import_order", args: badOrder },
      ],
    },
    {
      learned: ["/customer_email", "/items/0/quantity", "expected integer"],
      calls: [
        { tool: "create_order", args: goodOrder },
        { tool: "import_order", args: goodOrder },
      ],
    },
    { calls: [], says: "Both orders are placed." },
  ],
  verify(scene, claim) {
    const bad = [1, 2].map((call) => callAt(scene, 1, call));
    const answers = bad.map(({ without }) => without[0]?.text ?? "");
    const sizes = bad.map(
      ({ without }, index) => `${answers[index]?.length} characters, ${without[0]?.tokens} tokens`,
    );
    const [zodText = "", jsonText = ""] = answers;
    const reasonOf = (text: string): string => text.replace(JSON.stringify(badOrder), "");
    claim(
      `without the contract the answers contain the key and a stack trace (${sizes.join("; ")})`,
      answers.every((text) => text.includes(apiKey) && (text.match(frame) ?? []).length > 5),
      answers,
    );
    claim(
      "that of the JSON Schema tool has neither field nor reason",
      zodText.includes("at items[0].quantity") &&
        !/quantity|customer_email/.test(reasonOf(jsonText)),
      reasonOf(jsonText),
    );
    const tokens = bad.map((call) => call.tokens);
    claim(
      `with it both name both faults (${tokens.join(" and ")} tokens)`,
      bad.every(({ handled }) => handled.result.errors?.length === 2),
    );
    claim(
      "in fewer tokens",
      bad.every((call) => call.tokens < (call.without[0]?.tokens ?? 0)),
    );
    claim("no message, event or log line contains the key", !producedText(scene).includes(apiKey));
    claim(
      "the corrected calls run",
      [1, 2].every((call) => callAt(scene, 2, call).handled.status === "executed"),
    );
  },
});
