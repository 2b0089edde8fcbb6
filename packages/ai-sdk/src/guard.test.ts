import { ToolContractError, createContract } from "@toolcontract/core";
import { expect, test } from "vitest";
import { describeVersions } from "./testing/every-sdk.ts";
import { quiet, travel } from "./testing/travel.ts";

describeVersions((sdk) => {
  const { withContract } = sdk.adapter;

  test("a contract that is undefined counts as not given", () => {
    const options = { ...quiet, tools: travel(sdk).tools, contract: undefined, maxAttempts: 2 };
    expect(() => withContract(options as never)).not.toThrow();
  });

  test("no more is set than there is a need for", () => {
    const settings = withContract({ ...quiet, tools: travel(sdk).tools });
    expect(settings).toHaveProperty("stopWhen");
    expect(settings).not.toHaveProperty("activeTools");
  });

  test.each([
    ["no tools", {}, "pass the tools"],
    [
      "a way to escalate that is none",
      { tools: {}, escalate: "explode" },
      "option 'escalate' must be",
    ],
    ["nothing at all", undefined, "pass the tools"],
    ["a list of tools", { tools: [{}] }, "option 'tools' must be an object of tools by name"],
    ["no tool under a name", { tools: { pay: undefined } }, "option 'tools' must be an object"],
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
    ["a contract that is null", { tools: {}, contract: null }, "option 'contract' must be what"],
    ["an empty conversation", { tools: {}, conversationId: "" }, "a non-empty string"],
    ["a repair that is a text", { tools: {}, repairToolCall: "x" }, "must be a function"],
    ["a step preparation that is none", { tools: {}, prepareStep: 5 }, "must be a function"],
    ["a number to stop at", { tools: {}, stopWhen: 5 }, "must be a stop condition"],
    ["a list of numbers to stop at", { tools: {}, stopWhen: [5] }, "must be a stop condition"],
    ["an active tool that is none", { tools: {}, activeTools: ["pay"] }, "names 'pay'"],
    ["one active tool", { tools: {}, activeTools: "pay" }, "must be an array of tool names"],
    ["a yes to renaming", { tools: {}, repairNames: "yes" }, "must be true or false"],
    ["a misspelt option", { tools: {}, escalat: "stop" }, "Did you mean 'escalate'?"],
    ["an option in other case", { tools: {}, stopwhen: [] }, "Did you mean 'stopWhen'?"],
    ["an option like no other", { tools: {}, zzz: 1 }, "The options are tools, escalate"],
    ["an unknown option", { tools: {}, maxAttemps: 2 }, "Did you mean 'maxAttempts'?"],
    ["wrong rules", { tools: {}, rules: { pay: 1 } }, "option 'rules' must be"],
  ])("%s is refused when the program starts", (_, options, words) => {
    const start = (): unknown => withContract(options as never);
    expect(start).toThrow(words);
    expect(start).toThrow(expect.objectContaining({ name: ToolContractError.name }));
  });
});
