import { createContract, ToolContractError } from "@toolcontract/core";
import { generateText, jsonSchema, type LanguageModel, type ToolSet } from "ai";
import { expect, test } from "vitest";
import { rawModel, text } from "../testing/raw-model.ts";
import { agentSession } from "./index.ts";

const { model } = rawModel(7, () => ({ content: [text("done")] }));
const tools: ToolSet = { read: { inputSchema: jsonSchema({ type: "object" }) } };
const contract = createContract();

function create(options: object): () => unknown {
  return () => agentSession<ToolSet>({ targets: [{ model }], tools, ...options });
}

const own = { inputSchema: jsonSchema({ type: "object" }) };

test.each<[object, string]>([
  [{ maxTurn: 3 }, "agentSession: unknown option 'maxTurn'. Did you mean 'maxTurns'?"],
  [{ target: [] }, "agentSession: unknown option 'target'. Did you mean 'targets'?"],
  [{ maxAttempt: 3 }, "agentSession: unknown option 'maxAttempt'. Did you mean 'maxAttempts'?"],
  [{ prompt: "hi" }, "agentSession: unknown option 'prompt'. Pass it to generateText"],
  [{ zzzz: 1 }, "agentSession: unknown option 'zzzz'"],
  [{ maxTurns: 0 }, "agentSession: option 'maxTurns' must be a whole number of at least 1"],
  [{ maxRetries: "3" }, "agentSession: option 'maxRetries' must be a whole number of at least 1"],
  [{ toolTimeout: 0 }, "agentSession: option 'toolTimeout' must be a number of milliseconds"],
  [
    { toolResponseMaxBytes: 0.5 },
    "agentSession: option 'toolResponseMaxBytes' must be a whole number of at least 1, or a function (tool) => bytes",
  ],
  [{ plainText: "no" }, "agentSession: option 'plainText' must be"],
  [{ outputSchema: {} }, "agentSession: option 'outputSchema' needs expectedOutputFormat"],
  [{ targets: [] }, "agentSession: option 'targets' must name at least one model"],
  [{ targets: [{ model: 7 }] }, "agentSession: targets[0]: `model` must be a language model"],
  [
    { targets: [{ model, contextwindow: 9 }] },
    "agentSession: targets[0] has an unknown member 'contextwindow'. Did you mean 'contextWindow'?",
  ],
  [{ queueOf: { read: "nope" } }, 'queue "nope" is not defined; known queues: default.'],
  [{ queues: { browser: { concurrent: 0 } } }, 'queue "browser" must be { concurrent: N }'],
  [{ tools: { agent__final_report: own } }, "has a tool named agent__final_report"],
  [{ activeTools: ["write"] }, "agentSession: option 'activeTools' names 'write'"],
  [{ contract, maxAttempts: 2 }, "pass either a contract or contract options, not both"],
])("%j is an error at once, with the fix", (options, fault) => {
  expect(create(options)).toThrow(ToolContractError);
  expect(create(options)).toThrow(fault);
});

test.each([{}, { contract }])("the clock goes to the session with %j", (options) => {
  const clock = (): number => 7;
  expect(create({ ...options, clock })).not.toThrow();
});

test("prepareCall outside of a run is an error", () => {
  const session = agentSession({ targets: [{ model }], tools });
  expect(() => session.prepareCall({})).toThrow("prepareCall ran outside of a run");
});

test("a prepareStep that returns a model is an error: the model would be outside of the limits", async () => {
  const session = agentSession({ targets: [{ model }], tools, prepareStep: () => ({ model }) });
  await expect(
    session.run(async (options) => generateText({ ...options, prompt: "Go." })),
  ).rejects.toThrow("option 'prepareStep' returned a model");
});

test.each<[string, readonly object[], object]>([
  ["of the only target", [{ "image/*": [/^https:/] }], { "image/*": [/^https:/] }],
  [
    "that all targets read",
    [
      { "image/*": [/^https:/, /^gs:/], "audio/*": [/^https:/] },
      { "image/*": [/^https:/] },
      { "image/*": [/^s3:/, /^https:/], "text/*": [/^https:/] },
    ],
    { "image/*": [/^https:/], "audio/*": [] },
  ],
])("the SDK leaves the URLs to the model %s", async (_, urls, common) => {
  const [first = {}, ...others] = urls;
  const targetOf = (supportedUrls: object) => ({
    model: { ...(model as object), supportedUrls } as LanguageModel,
  });
  const seen: unknown[] = [];
  const targets = [targetOf(first), ...others.map(targetOf)] as const;
  await agentSession({ targets, tools }).run(async (options) => {
    seen.push(await (options.model as { readonly supportedUrls?: unknown }).supportedUrls);
    return generateText({ ...options, prompt: "Go." });
  });
  expect(seen).toEqual([common]);
});
