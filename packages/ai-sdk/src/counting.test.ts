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

  test.each([
    ["the only tool", ["book"]],
    ["one of two", ["book", "cancel"]],
  ])("a model that never learns gets one turn for words: %s is blocked", async (_, names) => {
    const { tools } = travel(sdk);
    const own = { book: tools.book!, cancel: tools.book! };
    const offered = Object.fromEntries(names.map((name) => [name, own[name as "book"]]));
    for (const text of [undefined, "Sorry."]) {
      const model = sdk.script((index) => {
        return { ...(text !== undefined && { text }), calls: [bad(`call_${index}`)] };
      });
      const settings = withContract({ ...quiet, tools: offered, stopWhen: steps(20) });
      const { steps: ran, text: last } = await sdk.run(mode, { model, settings });
      const sent = model.requests.map(({ tools: given, toolChoice }) => [
        given?.map(({ name }) => name).join(),
        toolChoice?.type,
      ]);
      const all = [names.join(), "auto"];
      const left = names.at(-1);
      expect(sent).toEqual([all, all, all, [left, "auto"], [left, "none"]]);
      // Without words of its own, it says what people are told.
      expect(last).toMatch(text ?? /book/);
      expect(ran.at(-1)?.toolCalls).toEqual([]);
      expect(ran.at(-1)?.finishReason).toBe("stop");
      expect(escalationsOf(ran)).toHaveLength(1);
    }
  });
});
