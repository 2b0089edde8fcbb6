import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { ADD_ITEM, callOf, numberOf, outcomeOf, refusal, staged } from "../testing/staged.ts";
import { type Handled, type HandledInTurn, resultMarker } from "../call/index.ts";
import { type ModelTurn, countAttempts, readResultMarker } from "../attempts/index.ts";
import { parseRejection } from "../message/index.ts";

const NOTE = "(tool failed: too many tool calls in one turn; limit is 16)";
const HERE = { conversationId: "c", tool: ADD_ITEM };
const limited = (maxCallsPerTurn: number): ReturnType<typeof staged> =>
  staged(undefined, { maxCallsPerTurn });

function statuses(answers: readonly HandledInTurn[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe("maxCallsPerTurn", () => {
  test("200 calls of one message: the first 16 run, all others read the same note", async () => {
    const { contract, ran, lines } = limited(16);
    const calls = Array.from({ length: 200 }, (_, qty) => callOf({ qty }));
    const execute = (args: unknown): unknown => (ran.push(args), "added");
    const answers = await contract.handleTurn(calls, { ...HERE, execute });
    expect(answers.slice(0, 16).every(({ status }) => status === "executed")).toBe(true);
    expect(ran).toEqual(Array.from({ length: 16 }, (_, qty) => ({ qty })));
    for (const answer of answers.slice(16)) {
      expect(answer).toEqual({
        status: "rejected",
        errors: [],
        attempt: 0,
        maxAttempts: 3,
        result: {
          formatVersion: "1.2",
          toolCallId: expect.any(String),
          toolName: "add_item",
          content: NOTE,
          isError: true,
          status: "skipped",
          errors: [],
          advisories: [],
        },
      });
    }
    expect(parseRejection(NOTE)).toBeUndefined();
    expect(contract.metrics()).toMatchObject({ calls: 16, admitted: 16, rejected: 0, byLane: {} });
    expect(lines[0]).toEqual({
      message: "Tool call skipped",
      fields: { level: "warn", package: "core", max_calls_per_turn: 16 },
    });
  });

  test("single calls with one turnId share the limit; another turn and conversation have their own", async () => {
    const { add } = limited(2);
    const turn = async (turnId: string, conversationId = "c"): Promise<string> =>
      (await add({ qty: 1 }, { turnId, conversationId })).result.status;
    expect(await turn("1")).toBe("executed");
    expect(await turn("1")).toBe("executed");
    expect(await turn("1")).toBe("skipped");
    expect(await turn("2")).toBe("executed");
    expect(await turn("1", "d")).toBe("executed");
    expect(await turn("1")).toBe("skipped");
  });

  test("calls that overlap without a turnId are one turn; later ones are another", async () => {
    const { contract } = limited(3);
    const overlapping = async (): Promise<readonly Handled[]> =>
      Promise.all(
        Array.from({ length: 5 }, async () =>
          contract.handle(callOf({ qty: 1 }), { ...HERE, execute: () => "added" }),
        ),
      );
    expect(statuses(await overlapping())).toEqual({ executed: 3, rejected: 2 });
    await sleep(0);
    expect(statuses(await overlapping())).toEqual({ executed: 3, rejected: 2 });
  });

  test("calls of two runs are two turns, and those of a run that is not known are turns of their own", async () => {
    const { contract } = limited(1);
    const overlapping = async (...runs: readonly object[]): Promise<readonly Handled[]> =>
      Promise.all(
        runs.map(async (run) =>
          contract.handle(callOf({ qty: 1 }), { ...HERE, ...run, execute: () => "added" }),
        ),
      );
    const [a, b, unknown] = [{ runId: "a" }, { runId: "b" }, { knowsRun: false }];
    expect(statuses(await overlapping(a, a, b))).toEqual({ executed: 2, rejected: 1 });
    expect(statuses(await overlapping(unknown, unknown, a))).toEqual({ executed: 3 });
  });

  test("a call that is decided on again counts once", async () => {
    const { contract } = limited(2);
    const context = { ...HERE, turnId: "1" };
    const call = callOf({ qty: 1 });
    // An approval: the call is admitted, waits for a person, and is admitted again to run.
    for (let again = 0; again < 5; again += 1) {
      expect((await contract.admit(call, context)).status).toBe("admitted");
    }
    expect((await contract.admit(callOf({ qty: 2 }), context)).status).toBe("admitted");
    expect((await contract.admit(callOf({ qty: 3 }), context)).status).toBe("rejected");
    expect((await contract.admit(call, context)).status).toBe("admitted");
  });

  describe.each([
    ["one id three times", ["c0", "c0", "c0"]],
    ["no id at all", ["", "", ""]],
    ["one id among others", ["c0", "c1", "c1"]],
  ])("%s", (_, ids) => {
    test.each([
      ["with equal arguments", () => 1],
      ["with other arguments", (index: number) => index],
    ])("%s: one of three calls runs, and all are answered", async (__, qtyAt) => {
      const { contract, ran } = limited(1);
      const calls = ids.map((id, index) => callOf({ qty: qtyAt(index) }, id));
      const execute = (args: unknown): unknown => (ran.push(args), "added");
      const answers = await contract.handleTurn(calls, { ...HERE, execute });
      expect(answers.map(({ result }) => result.status)).toEqual([
        "executed",
        "skipped",
        "skipped",
      ]);
      expect(ran).toEqual([{ qty: qtyAt(0) }]);
      const admitted = await limited(1).contract.admitTurn(calls, HERE);
      expect(admitted.map(({ status }) => status)).toEqual(["admitted", "rejected", "rejected"]);
    });
  });

  test("calls that are handed over one by one are told apart by their position", async () => {
    const { contract } = limited(2);
    const [call, context] = [callOf({ qty: 1 }, "c0"), { ...HERE, turnId: "1" }];
    const ends = [];
    for (const position of [0, 1, 2, 1, 0])
      ends.push((await contract.admit(call, { ...context, position })).status);
    expect(ends).toEqual(["admitted", "admitted", "rejected", "admitted", "admitted"]);
    for (const position of [-1, 0.5, Number.NaN]) {
      await expect(contract.admit(call, { ...context, position })).rejects.toThrow(
        "contract.admit: `position` must be a whole number of at least 0.",
      );
    }
  });

  test("some calls of a message may be handed over again, without the others", async () => {
    const { contract } = limited(2);
    const [a, b] = [callOf({ qty: 1 }), callOf({ qty: 2 })];
    const context = { ...HERE, turnId: "1", execute: () => "added" };
    expect(statuses(await contract.handleTurn([a, b], context))).toEqual({ executed: 2 });
    expect(statuses(await contract.handleTurn([b], context))).toEqual({ executed: 1 });
    expect(statuses(await contract.handleTurn([callOf({ qty: 3 })], context))).toEqual({
      rejected: 1,
    });
  });

  test("invalid and refused calls count towards the limit too", async () => {
    const { add } = staged({ check: () => refusal() }, { maxCallsPerTurn: 2 });
    const answers = [];
    for (const args of [{}, { qty: 1 }, { qty: 1 }]) answers.push(await add(args, { turnId: "1" }));
    expect(answers.map(({ result }) => result.lane)).toEqual([
      "validation",
      "guardrail",
      undefined,
    ]);
  });

  test("a call too many moves no count of the tracker", async () => {
    const { add } = limited(1);
    const numbers = [];
    for (const turnId of ["1", "2", "3"]) {
      numbers.push(numberOf(await add({}, { turnId })));
      expect((await add({}, { turnId })).result.status).toBe("skipped");
      expect((await add({ qty: 1 }, { turnId })).result.status).toBe("skipped");
    }
    expect(numbers).toEqual(["validation 1/3", "validation 2/3", "validation 3/3!"]);
  });

  test("a closed tool answers its lane's words only within the limit", async () => {
    const check = vi.fn(() => refusal({ action: "stop", outcomeOf }));
    const { add } = staged({ check }, { maxCallsPerTurn: 1 });
    await add({ qty: 1 }, { turnId: "1" });
    const answers = [];
    for (let call = 0; call < 2; call += 1) answers.push(await add({ qty: 1 }, { turnId: "2" }));
    expect(answers.map(({ result }) => result.status)).toEqual(["blocked", "skipped"]);
  });

  test("no limit by default", async () => {
    const { contract } = staged(undefined);
    const calls = Array.from({ length: 200 }, (_, qty) => callOf({ qty }));
    const answers = await contract.handleTurn(calls, { ...HERE, execute: () => "added" });
    expect(statuses(answers)).toEqual({ executed: 200 });
  });

  test.each([0, -1, 1.5, Number.NaN, "16", null])("%o is not a limit", (maxCallsPerTurn) => {
    expect(() => staged(undefined, { maxCallsPerTurn: maxCallsPerTurn as never })).toThrow(
      "createContract: option 'maxCallsPerTurn' must be a whole number of at least 1.",
    );
  });
});

describe("a call too many in a history is not an attempt", () => {
  /** A history of turns in which every letter is a call: `b` failed, `v` ran, `s` was one too many. */
  async function history(script: string, from: "markers" | "texts"): Promise<readonly ModelTurn[]> {
    const { add } = limited(1_000);
    const { add: addTooMany } = limited(1);
    await addTooMany({ qty: 1 }, { turnId: "full" });
    const answerTo = async (letter: string): Promise<Handled> => {
      if (letter === "s") return addTooMany({ qty: 1 }, { turnId: "full" });
      return letter === "v" ? add({ qty: 1 }) : add({}, { conversationId: `${Math.random()}` });
    };
    const turns: ModelTurn[] = [];
    for (const word of script.split(" ")) {
      const answers = await Promise.all(Array.from(word.replace("-", ""), answerTo));
      const results = answers.map(({ result }) => ({
        toolCallId: result.toolCallId,
        isError: result.isError,
        content: result.content,
        ...(from === "markers" && { marker: readResultMarker(resultMarker(result)) as never }),
      }));
      const calls = results.map(({ toolCallId: id }) => ({ id, name: "add_item" }));
      const unanswered = word.includes("-") ? [{ id: "waiting", name: "add_item" }] : [];
      turns.push({ calls: [...calls, ...unanswered], results });
    }
    return turns;
  }

  describe.each(["markers", "texts"] as const)("from %s", (from) => {
    test.each([
      ["alone", "b s", 1],
      ["alone, in many turns", "b s s s b", 2],
      ["beside a failed one", "bs bss", 2],
      ["beside a valid one, which resets", "b vs", 0],
      ["beside a valid one in an earlier turn", "b vs b", 1],
      ["beside one that still waits for its answer", "b vs-", 1],
    ])("%s: %s", async (_, script, failed) => {
      const turns = await history(script, from);
      expect(countAttempts(turns, "add_item", "run").failed).toBe(failed);
    });
  });
});
