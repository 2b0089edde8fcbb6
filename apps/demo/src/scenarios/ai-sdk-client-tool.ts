import { jsonSchema, tool, type ToolSet } from "ai";
import { type Toolbox } from "../ai-sdk/toolbox.ts";
import { onAiSdk } from "../ai-sdk/on-ai-sdk.ts";
import { callAt } from "../scenario.ts";

const good = { question: "Which day?", options: ["Thursday", "Friday"] };
const answered = "The user chose Friday";

function openToolbox(): Toolbox {
  const reached: unknown[] = [];
  // No `execute`: the application asks in the browser.
  const ask_user = tool({
    description: "Shows a question with buttons",
    inputSchema: jsonSchema({
      type: "object",
      properties: {
        question: { type: "string" },
        options: { type: "array", items: { type: "string" }, minItems: 2 },
      },
      required: ["question", "options"],
    }),
  }) as ToolSet[string];
  return {
    tools: { ask_user },
    reached,
    client(_, input) {
      reached.push(input);
      const { options } = input as typeof good;
      const buttons = options.map((option) => `[${option}]`);
      return buttons.length > 1 ? answered : "";
    },
  };
}

/** A tool that runs in the browser. */
export const aiSdkClientTool = onAiSdk({
  name: "ai-sdk-client-tool",
  title: "AI SDK: a tool that runs in the browser",
  story:
    "The AI SDK does not validate calls of tools with a JSON Schema: whatever the model sends goes to the browser.",
  openToolbox,
  script: [
    {
      calls: [{ tool: "ask_user", args: { question: "Which day?", options: "Thursday, Friday" } }],
    },
    {
      learned: ["array of string", "at least 2 items"],
      calls: [{ tool: "ask_user", args: good }],
    },
    { calls: [], says: "Friday it is." },
  ],
  verify(scene, claim) {
    const { withContract, withoutContract } = scene;
    claim(
      "without the contract the client gets the invalid call, and fails",
      withoutContract.reached.length === 1 &&
        withoutContract.crash?.message.includes("options.map is not a function") === true,
      withoutContract.crash,
    );
    claim("and the model never learns of it", withoutContract.turns.length === 1);
    claim(
      "with it the client gets only the corrected call",
      JSON.stringify(withContract.reached) === JSON.stringify([good]),
      withContract.reached,
    );
    claim(
      "the code is that of a type mismatch",
      callAt(scene, 1).handled.result.errors?.[0]?.errorCode === "VAL-002",
    );
    claim(
      "the user's answer reaches the model",
      callAt(scene, 2).handled.result.content === answered,
    );
  },
});
