import { describe, expect, test } from "vitest";
import { ADD_ITEM, callOf, numberOf, refusal, staged } from "../testing/staged.ts";
import { CallFailedError, CallRefusedError } from "./decision.ts";
import { type ModelTurn, countAttempts, readResultMarker } from "../attempts/index.ts";
import type { StageAnswer, StageFailure, StagedCall } from "../shared/index.ts";
import { ToolContractError } from "@toolcontract/explain";
import { resultMarker } from "./result.ts";

const HERE = { conversationId: "c", tool: ADD_ITEM };
const SECRET = "hunter2-hunter2";
const MCP_ERROR = { content: [{ type: "text", text: "no stock service" }], isError: true };

/** A stage that says of every call that its tool failed. */
const failing = (failure: Partial<StageFailure>) => ({
  around: async ({ run }: StagedCall): Promise<StageAnswer> => ({
    action: "fail",
    value: await run(),
    ...failure,
  }),
});

describe("a stage that says that the tool failed", () => {
  test.each<[string, Partial<StageFailure>, unknown, string]>([
    ["a message", { message: "out of order" }, "x", "Tool 'add_item' failed: out of order"],
    [
      "a message, and that all was undone",
      { message: "out of order", undone: "all" },
      "x",
      "Tool 'add_item' failed: out of order\nAll its state changes were undone.",
    ],
    [
      "a message, and what could not be undone",
      { message: "out of order", undone: ["mail"] },
      "x",
      "Tool 'add_item' failed: out of order\nSome effects could not be undone: mail.",
    ],
    [
      "a message of several lines",
      { message: " out\r\nof\n\n order " },
      "x",
      "Tool 'add_item' failed: out of order",
    ],
    [
      "a message with a secret that was sent",
      { message: `password=${SECRET} is wrong` },
      "x",
      "Tool 'add_item' failed: password=[redacted] is wrong",
    ],
    ["a blank message", { message: " \n" }, "x", "Tool 'add_item' failed: it gave no reason"],
    ["no message", {}, "added nothing", "added nothing"],
    ["no message, of an MCP result", {}, MCP_ERROR, "no stock service"],
    ["no message, so nothing on what was undone", { undone: "all" }, "x", "x"],
  ])("with %s: executed, an error, and the raw value", async (_, failure, value, content) => {
    const { add, contract } = staged(failing(failure));
    const answer = await add({ qty: 1 }, { execute: () => value });
    expect(answer).toMatchObject({
      status: "executed",
      attempt: 1,
      output: value,
      result: { status: "executed", isError: true, content },
    });
    expect(answer.result).not.toHaveProperty("lane");
    const reported = answer.status === "executed" ? answer.failure : undefined;
    expect(reported?.message).toBe(failure.message === undefined ? undefined : content);
    expect(contract.metrics()).toMatchObject({ rejected: 0, blocked: 0, byLane: {} });
  });

  test.each([400, 450, 2_000])("a message of any length fits into %i characters", async (most) => {
    const undone = Array.from({ length: 9 }, (_, index) => `effect ${index} `.repeat(9));
    const { add } = staged(failing({ message: "so long ".repeat(9_000), undone }), {
      format: { maxLength: most },
    });
    const { content } = (await add({ qty: 1 })).result;
    expect(content.length).toBeLessThanOrEqual(most);
    expect(content).toMatch(
      /^Tool 'add_item' failed: so long .*\nSome effects could not be undone/,
    );
  });

  test("a message fits into maxTokens too", async () => {
    const options = { format: { maxTokens: 60, estimateTokens: (text: string) => text.length } };
    const { add } = staged(failing({ message: "so long ".repeat(9) }), options);
    expect((await add({ qty: 1 })).result.content).toBe(
      "Tool 'add_item' failed: so long so long so long so ...",
    );
  });

  test("`run` rejects with the failure, or hands back the value if there is no message", async () => {
    const run = async (failure: Partial<StageFailure>): Promise<unknown> => {
      const admission = await staged(failing(failure)).contract.admit(callOf({ qty: 1 }), HERE);
      if (admission.status !== "admitted") throw new Error("refused");
      return admission.run(async () => "added");
    };
    const thrown: unknown = await run({ message: "out of order" }).catch((error: unknown) => error);
    expect(CallFailedError.isInstance(thrown)).toBe(true);
    expect(CallRefusedError.isInstance(thrown)).toBe(false);
    expect(String(thrown)).toBe("CallFailedError: Tool 'add_item' failed: out of order");
    expect(await run({})).toBe("added");
    for (const other of [undefined, null, new Error("x")])
      expect(CallFailedError.isInstance(other)).toBe(false);
  });

  test("counts nothing and resets nothing, and a retry after it is the next attempt", async () => {
    const answers: StageAnswer[] = [
      refusal({ lane: "outcome" }),
      { action: "fail", value: "x", message: "out of order" },
      refusal({ lane: "outcome" }),
    ];
    const { add, events } = staged({
      around: async ({ run }) => (await run(), answers.shift() ?? refusal()),
    });
    const seen = [await add({ qty: 1 }), await add({ qty: 2 }), await add({ qty: 3 })];
    expect(seen.map(numberOf)).toEqual(["outcome 1/2", "ran", "outcome 2/2!"]);
    const outcomes = events.flatMap(({ name, event }) =>
      name === "call-executed" ? [(event as { readonly outcome: string }).outcome] : [],
    );
    expect(outcomes).toEqual(["rejected", "failed", "blocked"]);
    expect(events.map(({ name }) => name)).not.toContain("call-recovered");
  });

  test("a count from a marked history neither raises nor resets a lane by it", async () => {
    const refused = await staged({ around: () => refusal({ lane: "outcome" }) }).add({ qty: 1 });
    const failed = await staged(failing({ message: "out of order" })).add({ qty: 2 });
    const turns = [refused, failed].map(({ result }): ModelTurn => {
      const marker = readResultMarker(JSON.parse(JSON.stringify(resultMarker(result))));
      const { toolCallId: id, toolName: name, isError } = result;
      return {
        calls: [{ id, name, arguments: {} }],
        results: [{ toolCallId: id, isError, ...(marker && { marker }) }],
      };
    });
    const count = countAttempts(turns, "add_item", "thread", { lane: "outcome" });
    expect(count).toMatchObject({ failed: 1, blocked: false });
  });

  test.each<[string, object]>([
    ["a message that is not a string", { message: 5 }],
    ["undone in other words", { undone: "some" }],
    ["names that are not strings", { undone: [5] }],
  ])("a mistake of its author is thrown: %s", async (_, failure) => {
    const { add } = staged(failing(failure));
    await expect(add({ qty: 1 })).rejects.toThrow(ToolContractError);
  });
});
