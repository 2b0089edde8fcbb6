import { parseRejection } from "@toolcontract/core";
import { expect, test } from "vitest";
import { steps, textOf } from "./testing/describe-on.ts";
import { describeModes } from "./testing/every-sdk.ts";
import { bad, good, quiet, travel } from "./testing/travel.ts";

describeModes((sdk, mode) => {
  const { withContract, escalationsOf } = sdk.adapter;

  test("two invalid calls of one tool in one step are one attempt", async () => {
    const { tools } = travel(sdk);
    const model = sdk.script([
      { calls: [bad("call_1"), bad("call_2", "book", "{}")] },
      { calls: [bad("call_3")] },
    ]);
    const settings = withContract({ ...quiet, tools, stopWhen: steps(2) });
    const { messages } = await sdk.run(mode, { model, settings });
    const numbers = ["call_1", "call_2", "call_3"].map(
      (id) => parseRejection(textOf(messages, id))?.attempt,
    );
    expect(numbers).toEqual([1, 1, 2]);
  });

  test("text and loop count alike: a success in between starts a new count", async () => {
    const { tools } = travel(sdk);
    const calls = [
      bad("call_1"),
      bad("call_2"),
      good("call_3"),
      bad("call_4"),
      bad("call_5"),
      bad("call_6"),
    ];
    const model = sdk.script(calls.map((call) => ({ calls: [call] })));
    const settings = withContract({ ...quiet, tools, escalate: "stop", stopWhen: steps(20) });
    const { steps: ran, messages } = await sdk.run(mode, { model, settings });
    const numbers = ["call_1", "call_2", "call_4", "call_5", "call_6"].map(
      (id) => parseRejection(textOf(messages, id))?.attempt,
    );
    expect(numbers).toEqual([1, 2, 1, 2, 3]);
    expect(ran).toHaveLength(6);
    expect(escalationsOf(ran)).toMatchObject([{ toolCallId: "call_6", attempts: 3 }]);
  });

  test("drop-tool never drops the last tool, and ends the loop when the model only repeats itself", async () => {
    const { tools } = travel(sdk);
    const { book } = tools;
    const model = sdk.script(
      ["1", "2", "3", "4", "5"].map((id) => ({ calls: [bad(`call_${id}`)] })),
    );
    const settings = withContract({ ...quiet, tools: { book: book! }, stopWhen: steps(20) });
    const { steps: ran, messages } = await sdk.run(mode, { model, settings });
    expect(model.requests.map((request) => request.tools?.map(({ name }) => name))).toEqual([
      ["book"],
      ["book"],
      ["book"],
      ["book"],
    ]);
    expect(textOf(messages, "call_4")).toMatch(
      /^Validation failed for tool 'book' \(blocked after 3\/3\):/,
    );
    expect(escalationsOf(ran)).toHaveLength(1);
  });
});
