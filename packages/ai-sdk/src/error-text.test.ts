import { inspect } from "node:util";
import { createContract, parseRejection } from "@toolcontract/core";
import { expect, test, vi } from "vitest";
import { steps, textOf } from "./testing/describe-on.ts";
import { describeModes } from "./testing/every-sdk.ts";
import { bad, quiet, SECRET, travel } from "./testing/travel.ts";

describeModes((sdk, mode) => {
  const { withContract, answerOf } = sdk.adapter;

  test("message and toString both give the text, and nothing prints the arguments", async () => {
    const { tools } = travel(sdk);
    const model = sdk.script([
      { calls: [bad("call_1", "book", `{"from":"LIS","age":"${SECRET}`)] },
    ]);
    const settings = withContract({ ...quiet, tools, stopWhen: steps(1) });
    const { steps: ran, messages } = await sdk.run(mode, { model, settings });
    const [call] = ran[0]!.toolCalls as unknown as [{ readonly error: Error }];
    const text = textOf(messages, "call_1");
    expect([call.error.message, String(call.error)]).toEqual([text, text]);
    expect(
      text + call.error.stack + JSON.stringify(call.error) + inspect(call.error),
    ).not.toContain(SECRET);
    // They can still be read by name.
    expect((call.error as { readonly toolInput?: unknown }).toolInput).toContain(SECRET);
    expect(answerOf(call)).toMatchObject({ status: "rejected", attempt: 1 });
  });

  test.each([
    `{"from":"LIS","age":34,"__proto__":{"note":"${SECRET}"}}`,
    `{"from":"LIS","age":34,"constructor":{"prototype":{"note":"${SECRET}"}}}`,
    `{"from":"LIS","age":34,"\\u005f_proto__":{"note":"${SECRET}"},}`,
  ])("keys that the SDK's parser refuses are reported and not echoed (%#)", async (input) => {
    const { tools, ran } = travel(sdk);
    const model = sdk.script([{ calls: [bad("call_1", "book", input)] }]);
    const settings = withContract({ ...quiet, tools, stopWhen: steps(1) });
    const { messages } = await sdk.run(mode, { model, settings });
    const text = textOf(messages, "call_1");
    expect(parseRejection(text)).toMatchObject({
      attempt: 1,
      errors: [
        {
          errorCode: "VAL-004",
          fieldPath: "",
          expectedValue: "one JSON object without the keys __proto__ and constructor.prototype",
        },
      ],
    });
    expect(text).not.toContain(SECRET);
    expect(ran).toEqual([]);
  });

  test("an error of the provider stays the same object, and no call is counted", async () => {
    const { tools } = travel(sdk);
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const failure = new Error("400: tool call validation failed");
    const fail = async (): Promise<never> => {
      throw failure;
    };
    const broken = sdk.script([]);
    Object.assign(broken.model, { doGenerate: fail, doStream: fail });
    const contract = createContract(quiet);
    const repairToolCall = vi.fn(async () => null);
    const guarded = withContract({ contract, tools, repairToolCall, stopWhen: steps(2) });
    const settings = { ...guarded, maxRetries: 0 };
    await expect(sdk.run(mode, { model: broken, settings })).rejects.toBe(failure);
    expect(repairToolCall).not.toHaveBeenCalled();
    expect(contract.metrics().calls).toBe(0);
  });
});
