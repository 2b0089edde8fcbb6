import { ChatOpenAI } from "@langchain/openai";
import { createContract } from "@toolcontract/core";
import { expect, test } from "vitest";
import { agentSession } from "./index.ts";

const model = new ChatOpenAI({ model: "gpt-5", apiKey: "k" });
const targets = [{ model }];

test.each<[unknown, string]>([
  [undefined, "agentSession: pass the options, such as { targets: [{ model }] }."],
  [{}, "agentSession: option 'targets' must name at least one model, such as [{ model }]."],
  [{ targets: [] }, "agentSession: option 'targets' must name at least one model"],
  [
    { targets: [{ model: "openai:gpt-5" }] },
    "agentSession: targets[0]: `model` must be a chat model",
  ],
  [{ targets: [{ model, window: 1 }] }, "agentSession: targets[0] has an unknown member 'window'."],
  [
    { targets: [{ model, contextWindow: 100, maxOutputTokens: 100 }] },
    "agentSession: targets[0]: a contextWindow of 100 tokens is not larger than",
  ],
  [
    { targets, queueOf: { read: "nope" } },
    'agentSession: queue "nope" is not defined; known queues: default.',
  ],
  [{ targets, maxTurns: 0 }, "agentSession: option 'maxTurns' must be"],
  [{ targets, toolErrors: 5 }, "agentSession: option 'toolErrors' must be"],
  [{ targets, escalate: "explode" }, "agentSession: option 'escalate' must be"],
  [{ targets, maxTurn: 3 }, "agentSession"],
  [{ targets, tools: [] }, "The tools go to createAgent"],
  [{ targets, contract: createContract(), maxAttempts: 2 }, "agentSession"],
])("options %# throw at once, with the fix", (options, message) => {
  expect(() => agentSession(options as never)).toThrow(message);
});

test("a session has one middleware with the tool for the report", () => {
  const { middleware } = agentSession({ targets: [{ model }], name: "limits" });
  expect(middleware.name).toBe("limits");
  expect(middleware.tools?.map(({ name }) => name)).toEqual(["agent__final_report"]);
  expect(agentSession({ targets: [{ model }] }).middleware.name).toBe("toolContractSession");
});

test("the tool for the report runs in the middleware only", async () => {
  const { middleware } = agentSession({ targets: [{ model }] });
  const [tool] = middleware.tools ?? [];
  const args = { format: "markdown", content: "Ok." };
  await expect((tool as unknown as typeof model).invoke(args as never)).rejects.toThrow(
    "agentSession: agent__final_report ran outside of the session's middleware.",
  );
});
