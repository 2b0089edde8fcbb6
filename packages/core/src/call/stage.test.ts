import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { ADD_ITEM, callOf, outcomeOf, refusal, staged } from "../testing/staged.ts";
import { type Blocked, CallRefusedError } from "./decision.ts";
import type { ExecutionStage, StageAnswer, StagedCall } from "../shared/index.ts";
import { ToolContractError } from "@toolcontract/explain";
import { createContract } from "../contract/index.ts";
import { createMemoryStore } from "../attempts/index.ts";

const HERE = { conversationId: "c", tool: ADD_ITEM };
const REFUSED = [
  "Guardrail failed for tool 'add_item' (attempt 1/3):",
  "",
  "Errors:",
  "• /qty (VAL-016): order exceeds stock",
  "  Hint: lower qty",
  "",
  "Correct these and call 'add_item' again with all arguments.",
].join("\n");
const CLOSED = REFUSED.replace(
  /Correct these.*$/,
  "Do not call 'add_item' again for this request: tell the user what is missing, or continue without it.",
);
const STOPS = new Error("the shop is closed");

const returned = (value: unknown): StageAnswer => ({ action: "return", value });
const pass = async ({ run }: StagedCall): Promise<StageAnswer> => returned(await run());

/** What a call's way ends in, whichever method took it. */
async function ending(answer: Promise<unknown>): Promise<unknown> {
  try {
    const { status, output, result, thrown } = (await answer) as never;
    if (status === undefined) return { thrown };
    return status === "executed" ? { status, output } : { status, content: result["content"] };
  } catch (thrown) {
    return CallRefusedError.isInstance(thrown)
      ? { status: thrown.answer.status, content: thrown.message }
      : { thrown };
  }
}

const WAYS: Readonly<
  Record<string, (stage: Partial<ExecutionStage>, execute: () => unknown) => Promise<unknown>>
> = {
  handle: async (stage, execute) => {
    const { contract } = staged(stage);
    return ending(contract.handle(callOf({ qty: 9 }), { ...HERE, execute }));
  },
  handleTurn: async (stage, execute) => {
    const { contract } = staged(stage);
    const turn = contract.handleTurn([callOf({ qty: 9 })], { ...HERE, execute });
    return ending(turn.then(([one]) => (one?.status === "failed" ? { thrown: one.error } : one)));
  },
  settle: async (stage, execute) => {
    const { contract } = staged(stage);
    const admission = await contract.admit(callOf({ qty: 9 }), HERE);
    return ending(
      admission.status === "admitted" ? admission.settle(execute) : Promise.resolve(admission),
    );
  },
  run: async (stage, execute) => {
    const { contract } = staged(stage);
    const admission = await contract.admit(callOf({ qty: 9 }), HERE);
    if (admission.status !== "admitted") return ending(Promise.resolve(admission));
    return ending((async () => ({ status: "executed", output: await admission.run(execute) }))());
  },
};

const REQUEST = {
  id: "r",
  tool: "add_item",
  arguments: { qty: 9 },
  reasons: [],
  callId: "call_1",
  askedAt: 0,
  digest: "d",
  seal: "s",
};

test.each([
  ["asks a person", { action: "ask", request: REQUEST }, { input: { qty: 9 }, status: "valid" }],
  ["refuses", { action: "retry" }, undefined],
] as const)("a host that checks first has the arguments if a stage %s", (_, answer, held) => {
  const { contract } = staged({
    check: () => ({ ...answer, lane: "guardrail", errors: [{ message: "a lot" }] }),
  });
  const checked = contract.check(HERE.tool, { qty: 9 });
  const found = checked.status === "invalid" ? checked.refusal : undefined;
  expect(found?.action).toBe(answer.action);
  if (held === undefined) expect(found?.held).toBeUndefined();
  else expect(found?.held).toMatchObject(held);
});

describe.each(Object.entries(WAYS))("what a stage answers, through %s", (_, way) => {
  const ran = (): string => "added";

  test.each<[string, Partial<ExecutionStage>, unknown]>([
    ["no method but check, which passes", { check: () => undefined }, "added"],
    ["check that passes later", { check: async () => undefined }, "added"],
    ["check that answers null", { check: () => null as never }, "added"],
    ["the tool's value", { around: pass }, "added"],
    ["a value of its own", { around: () => returned(42) }, 42],
    ["nothing as the value", { around: () => returned(undefined) }, undefined],
  ])("executed: %s", async (__, stage, output) => {
    expect(await way(stage, ran)).toEqual({ status: "executed", output });
  });

  test.each<[string, Partial<ExecutionStage>, string]>([
    ["check", { check: () => refusal() }, REFUSED],
    ["check, later", { check: async () => refusal() }, REFUSED],
    ["around, before the tool ran", { around: () => refusal() }, REFUSED],
    [
      "around, after the tool ran",
      { around: async ({ run }) => (await run(), refusal()) },
      REFUSED,
    ],
  ])(
    "rejected by %s: the model reads the stage's errors in the contract's frame",
    async (__, stage, content) => {
      expect(await way(stage, ran)).toEqual({ status: "rejected", content });
    },
  );

  test.each<[string, Partial<ExecutionStage>]>([
    ["check", { check: () => refusal({ action: "stop" }) }],
    ["around", { around: () => refusal({ action: "stop" }) }],
  ])("blocked by %s: one stop closes the tool", async (__, stage) => {
    expect(await way(stage, ran)).toEqual({ status: "blocked", content: CLOSED });
  });

  test.each<[string, Partial<ExecutionStage>, () => unknown]>([
    ["answers throw", { around: () => ({ action: "throw", error: STOPS }) }, ran],
    [
      "throws",
      {
        around: () => {
          throw STOPS;
        },
      },
      ran,
    ],
    ["rejects", { around: async () => Promise.reject(STOPS) }, ran],
    [
      "wraps a tool that throws",
      { around: pass },
      () => {
        throw STOPS;
      },
    ],
    ["wraps a tool that rejects", { around: pass }, async () => Promise.reject(STOPS)],
    [
      "has only a check, and the tool rejects",
      { check: () => undefined },
      async () => Promise.reject(STOPS),
    ],
  ])("the same object is thrown if the stage %s", async (__, stage, execute) => {
    const { thrown } = (await way(stage, execute)) as { readonly thrown: unknown };
    expect(thrown).toBe(STOPS);
  });

  test.each<[string, NonNullable<ExecutionStage["around"]>]>([
    ["nothing", () => undefined as never],
    ["nothing, later", async () => undefined as never],
    ["a string", () => "return" as never],
    ["a number", () => 5 as never],
    ["an unknown action", () => ({ action: "skip" }) as never],
    ["an object of its own", () => ({ value: 1 }) as never],
    ["a lane that the stage does not count in", () => refusal({ lane: "generation" })],
    ["the contract's own lane", () => refusal({ lane: "validation" as never })],
    ["a lane that does not exist", () => refusal({ lane: "toString" as never })],
    ["undone effects that are not names", () => refusal({ undone: [5] as never })],
    ["undone effects that are a string", () => refusal({ undone: "some" as never })],
    ["an outcome that is not made by a function", () => refusal({ outcomeOf: {} as never })],
  ])("a mistake of the stage's author: around answers %s", async (__, around) => {
    const { thrown } = (await way({ around }, ran)) as { readonly thrown: Error };
    expect(thrown).toBeInstanceOf(ToolContractError);
    expect(thrown.message).toMatch(/^Stage 'shop': /);
  });
});

describe("what a stage may do with run()", () => {
  test("each call runs the tool again, with the same arguments; the model reads what is returned", async () => {
    const { add, ran } = staged({
      around: async ({ run, runsOnce }) => (await run(), returned([runsOnce, await run()])),
    });
    expect(await add({ qty: 1 })).toMatchObject({ output: [false, "added"] });
    expect(ran).toEqual([{ qty: 1 }, { qty: 1 }]);
  });

  test("a run that threw may be repeated", async () => {
    const around = async ({ run }: StagedCall): Promise<StageAnswer> =>
      returned(await Promise.resolve(run()).catch(run));
    const { add } = staged({ around });
    const execute = vi.fn(async () => "added").mockRejectedValueOnce(STOPS);
    expect(await add({ qty: 1 }, { execute })).toMatchObject({ output: "added" });
    expect(execute).toHaveBeenCalledTimes(2);
  });

  test("the second call throws if the host runs a call once", async () => {
    const seen: boolean[] = [];
    const { add, ran } = staged({
      around: async ({ run, runsOnce }) => (
        seen.push(runsOnce),
        await run(),
        returned(await run())
      ),
    });
    await expect(add({ qty: 1 }, { runsOnce: true })).rejects.toThrow(
      "Stage 'shop': this host runs a call once, so run() may be called once.",
    );
    expect([seen, ran]).toEqual([[true], [{ qty: 1 }]]);
  });

  test("a call of another tool is the host's own, if it can make one", async () => {
    const seen: unknown[] = [];
    const { add } = staged({
      around: async ({ callTool, run }) => {
        seen.push(callTool && (await callTool("drop_item", { qty: 1 })));
        return returned(await run());
      },
    });
    const callTool = vi.fn(async () => "dropped");
    await add({ qty: 1 });
    await add({ qty: 1 }, { callTool });
    expect(seen).toEqual([undefined, "dropped"]);
    expect(callTool.mock.calls).toEqual([["drop_item", { qty: 1 }]]);
  });

  test.each<[string, object]>([
    ["callTool", { callTool: "drop_item" }],
    ["knowsRun", { knowsRun: null }],
    ["runsOnce", { runsOnce: 1 }],
    ["runsHere", { runsHere: "no" }],
  ])("a context whose %s is of another type is a mistake", async (name, context) => {
    await expect(staged({ around: pass }).add({ qty: 1 }, context)).rejects.toThrow(
      `contract.handle: \`${name}\` must be`,
    );
  });

  test("a stage that never calls it answers instead of the tool", async () => {
    const { add, ran } = staged({ around: () => returned("from a cache") });
    expect(await add({ qty: 1 })).toMatchObject({ status: "executed", output: "from a cache" });
    expect(ran).toEqual([]);
  });

  test("a refused check never runs the tool, nor the rest of the stage", async () => {
    const around = vi.fn(pass);
    const { add, ran } = staged({ check: () => refusal(), around });
    await add({ qty: 1 });
    expect([ran, around.mock.calls]).toEqual([[], []]);
  });

  test("only arguments that the tool accepts reach the stage", async () => {
    const check = vi.fn(() => undefined);
    const { add } = staged({ check, around: pass });
    expect(await add({})).toMatchObject({ status: "rejected", lane: "validation" });
    expect(check).not.toHaveBeenCalled();
    expect(await add({ qty: 1 })).toMatchObject({ status: "executed" });
    expect(check).toHaveBeenCalledOnce();
  });

  test("a stream comes through unread", async () => {
    async function* stream(): AsyncGenerator<number> {
      yield 1;
    }
    const items = stream();
    const { contract } = staged({ around: pass });
    const admission = await contract.admit(callOf({ qty: 1 }), HERE);
    if (admission.status !== "admitted") throw new Error("refused");
    const run: unknown = admission.run(() => items);
    expect(await run).toBe(items);
    expect(await items.next()).toEqual({ value: 1, done: false });
  });
});

describe("a check that answers garbage is its author's mistake", () => {
  test.each<[string, unknown]>([
    ["true", true],
    ["false", false],
    ["a string", "no"],
    ["a list of errors", [{ message: "no" }]],
    ["an action that only around has", { action: "return", value: 1 }],
    ["a refusal of an unknown action", { ...refusal(), action: "later" }],
    ["a lane that the stage does not count in", refusal({ lane: "generation" })],
    ["the contract's own lane", refusal({ lane: "validation" as never })],
  ])("%s", async (_, answer) => {
    for (const given of [answer, Promise.resolve(answer)]) {
      const { add, contract, ran } = staged({ check: () => given as never });
      await expect(add({ qty: 1 })).rejects.toThrow(/^Stage 'shop': /);
      await expect(contract.checkAsync(ADD_ITEM, { qty: 1 })).rejects.toThrow(ToolContractError);
      expect(ran).toEqual([]);
    }
  });

  test.each([undefined, null, [], "no", [null, 5]])(
    "errors %o still refuse the call",
    async (errors) => {
      const { add } = staged({ check: () => refusal({ errors: errors as never }) });
      expect(await add({ qty: 1 })).toMatchObject({
        status: "rejected",
        errors: [{ errorCode: "VAL-016", fieldPath: "", severity: "error" }],
      });
    },
  );
});

describe("a check that fails closes the tool in the stage's lane", () => {
  const SECRET = "hunter2-hunter2";
  test.each<[string, NonNullable<ExecutionStage["check"]>]>([
    [
      "throws",
      () => {
        throw new RangeError(SECRET);
      },
    ],
    ["rejects", async () => Promise.reject(new RangeError(SECRET))],
  ])("%s", async (_, check) => {
    const lanes = { outcome: 2 };
    const { add, ran, lines, events } = staged({ check, lanes });
    const answers = [await add({ qty: 1 }), await add({ qty: 2 })];
    expect(answers.map(({ result }) => result.content.split("\n")[0])).toEqual([
      "Outcome failed for tool 'add_item' (attempt 1/2):",
      "Outcome failed for tool 'add_item' (blocked after 1/2):",
    ]);
    expect(answers[0]).toMatchObject({
      status: "blocked",
      lane: "outcome",
      errors: [{ message: "The call could not be checked, so it was not made" }],
    });
    expect(ran).toEqual([]);
    const degraded = { stage: "stage", errorClass: "RangeError", toolName: "add_item" };
    expect(events.filter(({ name }) => name === "contract-degraded")).toEqual([
      { name: "contract-degraded", event: degraded },
    ]);
    expect(lines.filter(({ message }) => message === "Tool contract degraded")).toHaveLength(1);
    expect(JSON.stringify([answers, lines, events])).not.toContain(SECRET);
  });
});

describe("a cancelled call is never counted", () => {
  const REASON = new Error("cancelled by the user");
  type Step = "before check" | "in check" | "in around" | "in run" | "after run";

  /** A stage and a tool that cancel the call at a step and then refuse it. */
  function cancelAt(step: Step, controller: AbortController, answer: () => StageAnswer) {
    const at = async (reached: Step): Promise<void> => {
      if (step === reached) controller.abort(REASON);
      await sleep(0);
    };
    const stage: Partial<ExecutionStage> = {
      check: async () => (await at("in check"), undefined),
      around: async ({ run }) => {
        await at("in around");
        try {
          await run();
        } catch {
          return answer();
        }
        await at("after run");
        return answer();
      },
    };
    return { stage, execute: async () => (await at("in run"), "added") };
  }

  test.each<[Step, "retry" | "stop"]>(
    (["before check", "in check", "in around", "in run", "after run"] as const).flatMap((step) => [
      [step, "retry"],
      [step, "stop"],
    ]),
  )("%s, and the stage answers %s", async (step, action) => {
    const controller = new AbortController();
    const { stage, execute } = cancelAt(step, controller, () => refusal({ action }));
    const { add, contract, events, lines } = staged(stage);
    if (step === "before check") controller.abort(REASON);
    const { signal } = controller;
    await expect(add({ qty: 1 }, { signal, execute, turnId: "1" })).rejects.toBe(REASON);
    expect(contract.metrics()).toMatchObject({ rejected: 0, blocked: 0, byLane: {}, byCode: {} });
    expect(lines).toEqual([]);
    expect(events.map(({ name }) => name)).not.toContain("call-rejected");
    // The next one is attempt 1 of a tool that is not closed.
    expect(await add({ qty: 1 }, { turnId: "2" })).toMatchObject({
      lane: "guardrail",
      attempt: 1,
    });
  });

  test("the tool does not run after the call was cancelled in around", async () => {
    const controller = new AbortController();
    const { add, ran } = staged({
      around: async ({ run }) => (controller.abort(REASON), returned(await run())),
    });
    await expect(add({ qty: 1 }, { signal: controller.signal })).rejects.toBe(REASON);
    expect(ran).toEqual([]);
  });

  test("a stage is not asked if the call was cancelled between admission and run", async () => {
    const controller = new AbortController();
    const around = vi.fn(pass);
    const { contract } = staged({ around });
    const { signal } = controller;
    const admission = await contract.admit(callOf({ qty: 1 }), { ...HERE, signal });
    if (admission.status !== "admitted") throw new Error("refused");
    controller.abort(REASON);
    await expect(admission.settle(() => "added")).rejects.toBe(REASON);
    expect(around).not.toHaveBeenCalled();
  });

  test("a check that stops because the call was cancelled is not a fault", async () => {
    const controller = new AbortController();
    const { add, lines } = staged({
      check: async (_, { signal }) => {
        controller.abort(REASON);
        signal?.throwIfAborted();
        return undefined;
      },
    });
    await expect(add({ qty: 1 }, { signal: controller.signal })).rejects.toBe(REASON);
    expect(lines).toEqual([]);
  });

  test("nor is one that was cancelled while its refusal was written", async () => {
    const controller = new AbortController();
    const redact = vi.fn(async (text: string) => (controller.abort(REASON), text));
    const errors = [{ message: "order exceeds stock", fieldPath: "/qty", actualValue: 7 }];
    const { add, contract } = staged({ around: () => refusal({ errors }) }, { redact: [redact] });
    await expect(add({ qty: 7 }, { signal: controller.signal })).rejects.toBe(REASON);
    expect(redact).toHaveBeenCalled();
    expect(contract.metrics()).toMatchObject({ rejected: 0, byLane: {} });
  });

  test("what a tool returned before the call was cancelled still reaches the host", async () => {
    const controller = new AbortController();
    const { add } = staged({
      around: async ({ run }) => {
        const value = await run();
        controller.abort(REASON);
        return returned(value);
      },
    });
    const answer = await add({ qty: 1 }, { signal: controller.signal });
    expect(answer).toMatchObject({ status: "executed", output: "added" });
  });

  test("an interrupt that the tool throws leaves every lane as it was", async () => {
    class Interrupt extends Error {}
    const interrupt = new Interrupt("approve?");
    let refuses = true;
    const { add, contract } = staged({
      around: async (call) => (refuses ? refusal() : pass(call)),
    });
    await add({ qty: 1 });
    refuses = false;
    const execute = (): never => {
      throw interrupt;
    };
    await expect(add({ qty: 1 }, { execute })).rejects.toBe(interrupt);
    refuses = true;
    expect(await add({ qty: 1 })).toMatchObject({ status: "rejected", attempt: 2 });
    expect(contract.metrics().byLane).toEqual({ guardrail: 2 });
  });
});

describe("a call that waits while the stage closes its tool", () => {
  const stops = refusal({ action: "stop" });
  const STAGES: readonly (readonly [string, Partial<ExecutionStage>])[] = [
    [
      "around",
      { around: async ({ args, run }) => (isLarge(args) ? stops : returned(await run())) },
    ],
    ["check", { check: (args) => (isLarge(args) ? stops : undefined) }],
  ];
  const isLarge = (args: unknown): boolean => (args as { readonly qty: number }).qty > 5;

  test.each(STAGES)("does not run: %s closed it meanwhile", async (_, stage) => {
    const { contract, add, events } = staged(stage);
    const waiting = await Promise.all(
      ["1", "2"].map(async (turnId) => contract.admit(callOf({ qty: 1 }), { ...HERE, turnId })),
    );
    await add({ qty: 9 }, { turnId: "3" });
    const tool = vi.fn(() => "added");
    const [first, second] = waiting;
    if (first?.status !== "admitted" || second?.status !== "admitted") throw new Error("refused");
    expect(await first.settle(tool)).toMatchObject({
      status: "blocked",
      settled: true,
      lane: "guardrail",
    });
    await expect(second.run(async () => tool())).rejects.toThrow("(blocked after 1/3)");
    expect(tool).not.toHaveBeenCalled();
    expect(contract.metrics()).toMatchObject({ calls: 3, rejected: 0, blocked: 3 });
    const ends = events.flatMap(({ name, event }) => (name === "call-executed" ? [event] : []));
    expect(ends.at(-1)).toMatchObject({ outcome: "blocked", lane: "guardrail" });
  });

  test.each(STAGES)("runs if it was made in the turn in which %s closed it", async (_, stage) => {
    const { contract, add } = staged(stage);
    const waiting = await contract.admit(callOf({ qty: 1 }), { ...HERE, turnId: "1" });
    await add({ qty: 9 }, { turnId: "1" });
    if (waiting.status !== "admitted") throw new Error("refused");
    expect(await waiting.settle(() => "added")).toMatchObject({ status: "executed" });
  });
});

describe("the option guardrails", () => {
  const fine = { name: "shop", lanes: { guardrail: 3 }, check: () => undefined };

  test.each<[string, unknown]>([
    ["a function", () => undefined],
    ["null", null],
    ["a string", "shop"],
    ["no name", { ...fine, name: undefined }],
    ["an empty name", { ...fine, name: "" }],
    ["no lanes", { ...fine, lanes: undefined }],
    ["lanes as a list", { ...fine, lanes: ["guardrail"] }],
    ["a check that may count in no lane", { ...fine, lanes: {} }],
    ["the contract's own lane", { ...fine, lanes: { validation: 3 } }],
    ["an unknown lane", { ...fine, lanes: { guardrails: 3 } }],
    ["no attempt", { ...fine, lanes: { guardrail: 0 } }],
    ["half an attempt", { ...fine, lanes: { guardrail: 1.5 } }],
    ["a number as a string", { ...fine, lanes: { guardrail: "3" } }],
    ["neither check nor around", { ...fine, check: undefined }],
    ["a check that is not a function", { ...fine, check: true }],
    ["an around that is not a function", { ...fine, around: {} }],
    ["a checkTools that is not a function", { ...fine, checkTools: ["add_item"] }],
    ["a checkCallable that is not a function", { ...fine, checkCallable: {} }],
    ["an attach that is not a function", { ...fine, attach: true }],
    ["events as a string", { ...fine, events: "spent" }],
    ["events that are not names", { ...fine, events: [5] }],
  ])("%s", (_, guardrails) => {
    expect(() => createContract({ guardrails: guardrails as never })).toThrow(ToolContractError);
    expect(() => createContract({ guardrails: guardrails as never })).toThrow(
      "createContract: option 'guardrails' must be a stage, such as createGuardrails({ … }) returns.",
    );
  });

  test.each<[string, object]>([
    ["only check", fine],
    ["only around", { name: "shop", lanes: {}, around: pass }],
    ["all lanes", { ...fine, lanes: { guardrail: 1, outcome: 2, generation: 3 } }],
    ["undefined", undefined as never],
  ])("accepts %s", (_, guardrails) => {
    expect(createContract({ guardrails: guardrails as never })).toBeDefined();
  });
});

describe("what a stage's words may show", () => {
  test.each(["check", "around"] as const)("no secret that was sent, from %s", async (method) => {
    const refuse = (): ReturnType<typeof refusal> =>
      refusal({
        errors: [
          {
            message: "not beside hunter2-hunter2",
            fieldPath: "/qty",
            expectedValue: "not hunter2-hunter2",
            hint: "hunter2-hunter2 is used",
          },
          { message: "wrong", fieldPath: "/password", actualValue: "hunter2-hunter2" },
        ],
      });
    const args = { qty: 1, password: "hunter2-hunter2" };
    const { add, contract, lines, events } = staged({ [method]: refuse });
    const asText = await add(args);
    const call = { ...callOf(args), arguments: args };
    const asValue = await contract.handle(call, { ...HERE, execute: () => "added" });
    for (const answer of [asText, asValue]) {
      expect(answer.status).toBe("rejected");
      expect(answer.result.content).toContain("/qty (VAL-016): not beside [redacted]");
    }
    expect(JSON.stringify([asText, asValue, lines, events])).not.toContain("hunter2");
  });

  test.each(["check", "around"] as const)(
    "the same message for the same errors, from %s",
    async (method) => {
      const errors = Array.from({ length: 27 }, (_, index) => ({
        message: `fault ${index}`,
        fieldPath: `/items/${26 - index}`,
      }));
      const { add, contract } = staged({ [method]: () => refusal({ errors }) });
      const answer = await add({ qty: 1 });
      const shown = Array.from({ length: 10 }, (_, index) => `/items/${index}`);
      expect(answer).toMatchObject({ errors: shown.map((fieldPath) => ({ fieldPath })) });
      expect(answer.result).toMatchObject({ totalErrors: 27 });
      expect(answer.result.content).toContain("... and 17 more errors");
      expect(contract.metrics().byCode).toEqual({ "VAL-016": 27 });
    },
  );

  test("one fault for each place, beside a rule's remark on it", async () => {
    const remark = { message: "quite many", fieldPath: "/qty", severity: "warning" } as const;
    const tool = { ...ADD_ITEM, rules: [() => [remark]] };
    const { contract } = staged({ check: () => refusal() }, { reportAdvisories: true });
    const answer = await contract.handle(callOf({ qty: 1 }), {
      conversationId: "c",
      tool,
      execute: () => "added",
    });
    expect(answer).toMatchObject({
      status: "rejected",
      errors: [{ message: "order exceeds stock" }],
    });
  });
});

describe("an outcome that fails", () => {
  test.each(["check", "around"] as const)(
    "from %s: the tool is closed without one",
    async (method) => {
      const { add, events } = staged({
        [method]: () =>
          refusal({
            action: "stop",
            outcomeOf: () => {
              throw new RangeError("secret words");
            },
          }),
      });
      const answer = await add({ qty: 1 });
      expect(answer).toMatchObject({ status: "blocked", attempt: 1, maxAttempts: 3 });
      expect(answer).not.toHaveProperty("outcome");
      expect(await add({ qty: 1 })).toMatchObject({ status: "blocked", settled: true });
      const degraded = { stage: "stage", errorClass: "RangeError", toolName: "add_item" };
      expect(events).toContainEqual({ name: "contract-degraded", event: degraded });
    },
  );

  test("is made once, for the attempt that closes the tool", async () => {
    const made = vi.fn(outcomeOf);
    const { add } = staged({ check: () => refusal({ outcomeOf: made }) });
    const answers = [];
    for (let turn = 1; turn <= 4; turn += 1) answers.push(await add({ qty: turn }));
    expect(made.mock.calls).toEqual([[3]]);
    expect(answers.map((answer) => "outcome" in answer)).toEqual([false, false, true, true]);
  });

  const SPENT = { status: "blocked", attempt: 3, maxAttempts: 3 };
  test.each<[action: "retry" | "stop", attempt: number, answer: object]>([
    ["retry", 1, { status: "rejected", attempt: 1, maxAttempts: 3 }],
    ["retry", 3, { ...SPENT, settled: false, outcome: outcomeOf(3) }],
    ["retry", 5, { ...SPENT, settled: true, outcome: outcomeOf(3) }],
    ["stop", 2, { ...SPENT, attempt: 2, settled: false, outcome: outcomeOf(2) }],
  ])("a host that counts itself rejects (%s) attempt %i", async (action, attempt, expected) => {
    const { contract, events } = staged({ check: () => refusal({ action, outcomeOf }) });
    const checked = await contract.checkAsync(ADD_ITEM, { qty: 1 });
    if (checked.status !== "invalid") throw new Error("allowed");
    const call = callOf({ qty: 1 });
    const history = [{ attempt: 1, argumentsHash: "other", errors: [] }];
    const context = { ...checked, tool: ADD_ITEM, attempt, history };
    const answers = [
      await contract.reject(call, checked.errors, context),
      await contract.reject(call, checked.errors, context),
    ];
    for (const { result, errors, ...answer } of answers) {
      expect(result).toMatchObject({ lane: "guardrail", attempt: answer.attempt, errors });
      const { escalation, ...told } = answer as Partial<Blocked>;
      expect(told).toEqual({ lane: "guardrail", ...expected });
      const numbers = attempt > 3 ? [1] : attempt === 1 ? undefined : [1, attempt];
      expect(escalation?.history.map((record) => record.attempt)).toEqual(numbers);
    }
    const told = attempt === 1 || attempt > 3 ? "call-rejected" : "call-escalated";
    expect(events.map(({ name }) => name)).toEqual([told, told]);
  });
});

test("a valid call asks its store eight questions, however many lanes are looked at again", async () => {
  const memory = createMemoryStore();
  let asked = 0;
  const store = {
    get: (key: string) => ((asked += 1), memory.get(key)),
    update: (...given: Parameters<typeof memory.update>) => ((asked += 1), memory.update(...given)),
    delete: (key: string) => memory.delete(key),
  };
  const lanes = { guardrail: 3, outcome: 2 };
  const guardrails = { name: "g", lanes, check: () => undefined, around: pass };
  const contract = createContract({ guardrails, store });
  await contract.handle(callOf({ qty: 1 }), { ...HERE, execute: () => "added" });
  // Both lanes before the check and before the run, the attempt, and that all three were valid.
  expect(asked).toBe(2 + 2 + 1 + 3);
});
