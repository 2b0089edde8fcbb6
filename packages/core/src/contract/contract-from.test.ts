import { describe, expect, test, vi } from "vitest";
import { contractFrom } from "./contract-from.ts";
import { ToolContractError } from "@toolcontract/explain";
import { isFunction, oneOf } from "@toolcontract/explain/adapter";
import { createContract } from "./create-contract.ts";

const own = { escalate: oneOf("stop", "throw"), onAnswer: isFunction };

function from(options: object): unknown {
  return contractFrom("guardTools", options, own, { model: "Pass it to run() instead." });
}

describe("contractFrom", () => {
  test("returns the given contract", () => {
    const contract = createContract();
    expect(from({ contract, escalate: "stop" })).toBe(contract);
  });

  test.each<[string, object]>([
    ["a value", { context: { user: "u-1" } }],
    ["a function", { context: () => ({ user: "u-1" }) }],
    ["a value beside a contract", { contract: true, context: { user: "u-1" } }],
  ])("calls have the context of %s, unless the host passes one", async (_, options) => {
    const seen: unknown[] = [];
    const rules = {
      pay: [
        (_args: unknown, { context }: { readonly context?: unknown }) => void seen.push(context),
      ],
    };
    const given = "contract" in options ? { contract: createContract({ rules }) } : { rules };
    const made = contractFrom("guardTools", { ...options, ...given }, own);
    const tool = { name: "pay", inputSchema: { type: "object" } } as const;
    const call = { id: "1", name: "pay", arguments: {} };
    const place = { tool, conversationId: "a", execute: () => "paid" };
    made.check(tool, {});
    await made.checkAsync(tool, {});
    await made.admit(call, place);
    await made.handle(call, place);
    await made.handleTurn([call], place);
    await made.handle(call, { ...place, context: { user: "u-2" } });
    expect(seen).toEqual([...Array.from({ length: 5 }, () => ({ user: "u-1" })), { user: "u-2" }]);
  });

  test("otherwise creates one from the contract options", () => {
    const made = contractFrom(
      "guardTools",
      { escalate: "stop", maxAttempts: 5, scope: undefined },
      own,
    );
    expect(made.settings).toMatchObject({ maxAttempts: 5, scope: "run" });
  });

  test("`logger: false` writes no log", async () => {
    const write = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const tool = { name: "pay", inputSchema: { required: ["amount"] } };
    const context = { tool, conversationId: "c", execute: () => "paid" };
    const call = { id: "1", name: "pay", arguments: "{}" };
    for (const options of [{ logger: false }, {}] as const) {
      await contractFrom("guardTools", options, own).handle(call, context);
      expect(write).toHaveBeenCalledTimes("logger" in options ? 0 : 1);
    }
    write.mockRestore();
  });

  test.each([
    ["no object", [], "guardTools: the options must be an object."],
    [
      "an own option of the wrong kind",
      { escalate: "explode" },
      `guardTools: option 'escalate' must be "stop" or "throw".`,
    ],
    [
      "an option of the contract of the wrong kind",
      { maxAttempts: 0 },
      "guardTools: option 'maxAttempts' must be a whole number of at least 1.",
    ],
    [
      "a member of an option",
      { format: { maxLenght: 500 } },
      "guardTools: unknown option 'format.maxLenght'. Did you mean 'format.maxLength'?",
    ],
    [
      "a misspelt own option",
      { escalte: "stop" },
      "guardTools: unknown option 'escalte'. Did you mean 'escalate'?",
    ],
    [
      "a misspelt option of the contract",
      { maxAttempt: 2 },
      "guardTools: unknown option 'maxAttempt'. Did you mean 'maxAttempts'?",
    ],
    [
      "an option of the host",
      { model: "gpt" },
      "guardTools: unknown option 'model'. Pass it to run() instead.",
    ],
    [
      "a misspelt option of the host",
      { modell: "gpt" },
      "guardTools: unknown option 'modell'. Pass it to run() instead.",
    ],
    [
      "null for no log",
      { logger: null },
      "guardTools: option 'logger' must be a function (fields, message), or false for no log.",
    ],
    [
      "a context that is a name",
      { context: "u-1" },
      "guardTools: option 'context' must be an object such as { user: \"u-17\" }, or a function that returns one.",
    ],
    [
      "no contract",
      { contract: {} },
      "guardTools: option 'contract' must be what createContract(…) returns.",
    ],
    [
      "a contract and options of one",
      { contract: createContract(), maxAttempts: 2 },
      "guardTools: pass either a contract or contract options, not both; 'maxAttempts' belongs to createContract.",
    ],
  ])("throws at once on misuse: %s", (_, options, words) => {
    expect(() => from(options)).toThrow(new ToolContractError(words));
  });
});
