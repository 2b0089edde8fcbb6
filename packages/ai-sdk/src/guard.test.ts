import { createContract, ToolContractError } from "@toolcontract/core";
import { expect, test } from "vitest";
import { describeVersions } from "./testing/every-sdk.ts";
import { quiet, travel } from "./testing/travel.ts";

describeVersions((sdk) => {
  const { withContract } = sdk.adapter;

  test("an undefined contract counts as not given", () => {
    const options = { ...quiet, tools: travel(sdk).tools, contract: undefined, maxAttempts: 2 };
    expect(() => withContract(options as never)).not.toThrow();
  });

  test("sets no more than it needs", () => {
    const settings = withContract({ ...quiet, tools: travel(sdk).tools });
    expect(settings).toHaveProperty("stopWhen");
    expect(settings).not.toHaveProperty("activeTools");
  });

  test.each([
    ["no tools", {}, "pass the tools"],
    ["an unknown way to escalate", { tools: {}, escalate: "explode" }, "option 'escalate' must be"],
    ["nothing at all", undefined, "pass the tools"],
    ["an array of tools", { tools: [{}] }, "option 'tools' must be an object of tools by name"],
    [
      "a name without a tool",
      { tools: { pay: undefined } },
      "withContract: option 'tools' must be an object of tools by name, such as { read_file }; 'pay' is undefined.",
    ],
    ["a name with nothing", { tools: { pay: null } }, "'pay' is null."],
    ["a function as a tool", { tools: { pay: () => "paid" } }, "'pay' is not a tool."],
    ["a string as a tool", { tools: { pay: "pay" } }, "'pay' is not a tool."],
    [
      "the SDK's older name of repairToolCall",
      { tools: {}, experimental_repairToolCall: async () => null },
      "unknown option 'experimental_repairToolCall'. Pass your function as 'repairToolCall'.",
    ],
    [
      "maxSteps of older versions",
      { tools: {}, maxSteps: 5 },
      "unknown option 'maxSteps'. Pass stopWhen: stepCountIs(8).",
    ],
    [
      "a model",
      { tools: {}, model: "gpt" },
      "unknown option 'model'. Pass it to generateText, streamText or the agent.",
    ],
    ["a prompt", { tools: {}, prompt: "Hi" }, "unknown option 'prompt'. Pass it to generateText"],
    [
      "tools with a contract, as tools",
      { ...quiet, tools: withContract({ ...quiet, tools: {} }) },
      "option 'tools' is what withContract returned; pass the tools as they were declared.",
    ],
    [
      "tools with a contract, spread",
      { ...quiet, ...withContract({ ...quiet, tools: {} }) },
      "option 'tools' is what withContract returned; pass the tools as they were declared.",
    ],
    [
      "a tool with a contract beside others",
      { ...quiet, tools: { ...withContract({ ...quiet, tools: travel(sdk).tools }).tools } },
      "'book' has a contract already.",
    ],
    ["null for the log", { tools: {}, logger: null }, "or false for no log"],
    [
      "a contract and its options",
      { tools: {}, contract: createContract(quiet), maxAttempts: 2 },
      "not both; 'maxAttempts' belongs to createContract",
    ],
    [
      "a contract and a wrong option",
      { tools: {}, contract: createContract(quiet), maxAttemps: 2 },
      "Did you mean 'maxAttempts'?",
    ],
    ["an empty contract", { tools: {}, contract: {} }, "option 'contract' must be what"],
    ["a null contract", { tools: {}, contract: null }, "option 'contract' must be what"],
    ["an empty conversation id", { tools: {}, conversationId: "" }, "a non-empty string"],
    ["a string for repairToolCall", { tools: {}, repairToolCall: "x" }, "must be a function"],
    ["a number for prepareStep", { tools: {}, prepareStep: 5 }, "must be a function"],
    ["a number for stopWhen", { tools: {}, stopWhen: 5 }, "must be a stop condition"],
    ["an array of numbers for stopWhen", { tools: {}, stopWhen: [5] }, "must be a stop condition"],
    ["an active tool that does not exist", { tools: {}, activeTools: ["pay"] }, "names 'pay'"],
    [
      "a string for activeTools",
      { tools: {}, activeTools: "pay" },
      "must be an array of tool names",
    ],
    ["a string for repairNames", { tools: {}, repairNames: "yes" }, "must be true or false"],
    ["a misspelt option", { tools: {}, escalat: "stop" }, "Did you mean 'escalate'?"],
    ["an option in lower case", { tools: {}, stopwhen: [] }, "Did you mean 'stopWhen'?"],
    ["an option unlike any other", { tools: {}, zzz: 1 }, "The options are tools, escalate"],
    ["an unknown option", { tools: {}, maxAttemps: 2 }, "Did you mean 'maxAttempts'?"],
    ["wrong rules", { tools: {}, rules: { pay: 1 } }, "option 'rules' must be"],
  ])("%s is refused when the program starts", (_, options, words) => {
    const start = (): unknown => withContract(options as never);
    expect(start).toThrow(words);
    expect(start).toThrow(expect.objectContaining({ name: ToolContractError.name }));
  });
});
