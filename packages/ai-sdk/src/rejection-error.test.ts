import { parseRejection } from "@toolcontract/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerOf, checkedOf, escalationsOf, validationError } from "./rejection-error.ts";
import { describeModes } from "./testing/both-ends.ts";
import { steps, textOf } from "./testing/describe-on.ts";
import { bad, good, quiet, travel } from "./testing/travel.ts";

describe("answerOf and escalationsOf", () => {
  test("find nothing in parts without an answer of the contract", () => {
    const error = fc.oneof(
      fc.anything(),
      fc.string().map((text) => new Error(text)),
      fc.constant(Object.freeze(Object.create(null) as object)),
    );
    const part = fc.oneof(fc.object(), fc.record({ type: fc.string(), error }));
    fc.assert(
      fc.property(fc.array(fc.array(part)), (contents) => {
        const run = contents.map((content) => ({ content }));
        expect(contents.flat().map(answerOf)).toEqual(contents.flat().map(() => undefined));
        expect(escalationsOf(run)).toEqual([]);
      }),
    );
  });
});

describe("checkedOf", () => {
  const checked = { status: "invalid", errors: [] } as never;
  const causedBy = (error: unknown, times: number): unknown =>
    times === 0 ? error : new Error("wrapped", { cause: causedBy(error, times - 1) });

  test.each([
    ["the error itself", 0, checked],
    ["the cause of a cause of its cause", 3, checked],
    ["a deeper one", 4, undefined],
  ])("what the contract found is on %s", (_, times, found) => {
    expect(checkedOf(causedBy(validationError({}, checked), times))).toBe(found);
  });

  test.each([[undefined], [null], ["text"], [{}], [new Error("other")], [{ cause: null }]])(
    "%o has nothing of it",
    (other) => {
      expect(checkedOf(other)).toBeUndefined();
    },
  );
});

describeModes((sdk, mode) => {
  test("the README's `answerOf(result.toolCalls[0])` finds the answer, and nothing in a step without a call", async () => {
    const { tools } = travel(sdk);
    const model = sdk.script([{ calls: [bad("call_1")] }, { text: "Sorry." }]);
    const settings = sdk.adapter.withContract({ ...quiet, tools });
    const { steps: ran } = await sdk.run(mode, { model, settings });
    const answers = ran.map(({ toolCalls }) => sdk.adapter.answerOf(toolCalls[0])?.attempt);
    expect(answers).toEqual([1, undefined]);
  });
});

describeModes(
  (sdk, mode) => {
    test("report what the model read, for any conversation", async () => {
      const turn = fc.record({ isGood: fc.boolean(), calls: fc.integer({ min: 1, max: 3 }) });
      await fc.assert(
        fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 8 }), async (turns) => {
          const { tools } = travel(sdk);
          const script = turns.map(({ isGood, calls }, at) => ({
            calls: Array.from({ length: calls }, (_, index) =>
              isGood ? good(`${at}.${index}`) : bad(`${at}.${index}`),
            ),
          }));
          const options = { ...quiet, tools, escalate: "stop", stopWhen: steps(turns.length) };
          const settings = sdk.adapter.withContract(options as never);
          const model = sdk.script(script);
          const { steps: ran, messages } = await sdk.run(mode, { model, settings });

          let failed = 0;
          for (const [at, step] of ran.entries()) {
            const { isGood, calls } = turns[at]!;
            failed = isGood ? 0 : failed + 1;
            for (let index = 0; index < calls; index++) {
              const id = `${at}.${index}`;
              const made = step.toolCalls.find(({ toolCallId }) => toolCallId === id)!;
              const answer = sdk.adapter.answerOf(made);
              expect(answer?.attempt).toBe(isGood ? undefined : failed);
              expect(parseRejection(textOf(messages, id))?.attempt).toBe(answer?.attempt);
            }
          }
          expect(sdk.adapter.escalationsOf(ran)).toHaveLength(failed === 3 ? 1 : 0);
          expect(failed === 3 || ran.length === turns.length).toBe(true);
        }),
        { numRuns: 12 },
      );
    });
  },
  {
    agent: "it runs generateText, which is tried here",
    "streaming agent": "it runs streamText, which is tried here",
  },
);
