import { describe, expect, test, vi } from "vitest";
import { countAttempts } from "../attempts/index.ts";
import { parseRejection } from "../message/index.ts";
import { staged } from "../testing/staged.ts";
import { createContract } from "./create-contract.ts";
import type { ContractOptions } from "./options.ts";

const BOOK = {
  name: "book",
  inputSchema: { type: "object", properties: { n: { type: "integer" } } },
} as const;
const http = (status: number): Error => Object.assign(new Error(`status ${status}`), { status });
const throws = (error: unknown) => async (): Promise<never> => {
  throw error;
};
const errorResult = (text: string) => async () => ({
  isError: true,
  content: [{ type: "text", text }],
});

interface LoopOptions extends ContractOptions {
  readonly args?: (turn: number) => object;
}

/** A loop that makes a call in each turn, until the model is told to stop. */
async function loop(
  fails: (turn: number) => Promise<unknown>,
  { args = (n) => ({ n }), ...options }: LoopOptions = {},
) {
  const onEscalation = vi.fn();
  const contract = createContract({ logger: false, onEscalation, ...options });
  const execute = vi.fn(async (given: unknown) => fails((given as { n: number }).n));
  for (let turn = 0; turn < 15; turn += 1) {
    const call = { id: `call_${turn}`, name: "book", arguments: args(turn) };
    const context = { conversationId: "c", runId: "r", tools: [BOOK], execute };
    const [answer] = await contract.handleTurn([call], context);
    if (answer?.status !== "blocked") continue;
    return { runs: execute.mock.calls.length, answer, onEscalation, contract, execute };
  }
  const runs = execute.mock.calls.length;
  return { runs, answer: undefined, onEscalation, contract, execute };
}

describe("a tool that only fails", () => {
  test.each([
    ["one status", throws(http(422))],
    ["one code", throws(Object.assign(new Error("x"), { code: "ECONNREFUSED" }))],
    ["one type", throws(new TypeError("x is not a function"))],
    ["one status in its cause", throws(new Error("no", { cause: http(503) }))],
    ["an error result with a status", errorResult("HTTP 500")],
    ["a string", throws("no")],
  ])("ends after ten failures with %s", async (_, fails) => {
    const { runs, answer, onEscalation } = await loop(fails);
    expect(runs).toBe(10);
    expect(onEscalation).toHaveBeenCalledTimes(1);
    expect(answer).toMatchObject({ lane: "outcome", attempt: 10, maxAttempts: 10, settled: false });
    const parsed = parseRejection(answer?.result.content);
    expect(parsed).toMatchObject({ lane: "outcome", status: "blocked" });
  });

  test("reads why, and is refused from then on, for its run alone", async () => {
    const { answer, contract, execute } = await loop(throws(http(422)));
    expect(answer?.result.content.split("\n").slice(0, 4)).toEqual([
      "Outcome failed for tool 'book' (attempt 10/10):",
      "",
      "Errors:",
      "\u2022 (arguments) (VAL-016): The tool fails again and again in the same way: HTTP 422",
    ]);
    const call = { id: "n", name: "book", arguments: {} };
    const handle = async (conversationId: string, runId: string) =>
      contract.handle(call, { conversationId, runId, tools: [BOOK], execute });
    expect(await handle("c", "r")).toMatchObject({ status: "blocked", settled: true });
    expect(execute).toHaveBeenCalledTimes(10);
    execute.mockImplementation(async () => "booked");
    expect(await handle("c", "r2")).toMatchObject({ status: "executed" });
    expect(await handle("d", "r")).toMatchObject({ status: "executed" });
  });

  test("is read back from the message that closed it, with all its attempts", async () => {
    const { answer } = await loop(throws(http(422)));
    const call = { id: "call_9", name: "book", arguments: { n: 9 } };
    const content = answer?.result.content ?? "";
    const turns = [{ calls: [call], results: [{ toolCallId: "call_9", isError: true, content }] }];
    const attempts = countAttempts(turns, "book", "run", { lane: "outcome" });
    expect([attempts.failed, attempts.blocked, attempts.history.length]).toEqual([10, true, 10]);
    const contract = createContract({ logger: false });
    const context = {
      conversationId: "c",
      tools: [BOOK],
      attempts: countAttempts(turns, "book", "run"),
    };
    const later = await contract.admit({ ...call, id: "call_10" }, context);
    expect(later).toMatchObject({ status: "blocked", settled: true, attempt: 10 });
    expect(later.status === "blocked" && later.result.content.split("\n")[0]).toBe(
      "Outcome failed for tool 'book' (blocked after 10/10):",
    );
    expect(later.status === "blocked" && later.result.content).toContain(
      "Attempt 10: The tool fails again and again in the same way: HTTP 422",
    );
  });

  test.each([
    ["from the first on", () => ({ n: 1 }), 3],
    ["whatever came before", (turn: number) => ({ n: Math.min(turn, 2) }), 5],
  ])("ends after three with the same arguments, %s", async (_, args, runs) => {
    expect((await loop(throws(http(422)), { args })).runs).toBe(runs);
  });

  test.each([
    ["a success between", async (n: number) => (n % 3 === 0 ? "ok" : throws(http(500))())],
    ["another class between", async (n: number) => throws(http(n % 2 === 0 ? 500 : 503))()],
    ["a result that says no in its own way", async () => ({ ok: false, reason: "sold out" })],
    ["an error result without a status", errorResult("sold out")],
  ])("goes on with %s", async (_, fails) => {
    const { runs, onEscalation } = await loop(fails);
    expect([runs, onEscalation.mock.calls.length]).toEqual([15, 0]);
  });

  test("what the host steers its run by never counts", async () => {
    const contract = createContract({ logger: false });
    const interrupt = Object.assign(new Error("wait"), { name: "GraphInterrupt" });
    const execute = throws(interrupt);
    const context = { conversationId: "c", runId: "r", tools: [BOOK], execute };
    for (let turn = 0; turn < 12; turn += 1) {
      const call = { id: `${turn}`, name: "book", arguments: {} };
      await expect(contract.handle(call, context)).rejects.toBe(interrupt);
    }
  });

  test.each([
    [{ maxFailures: 0 }, 15],
    [{ maxFailures: 4 }, 4],
    [{ mode: "observe" as const }, 15],
  ])("with %o, it runs %i times", async (options, runs) => {
    expect((await loop(throws(http(422)), options)).runs).toBe(runs);
  });

  test("calls of one turn are one failure", async () => {
    const contract = createContract({ logger: false });
    const calls = Array.from({ length: 12 }, (_, n) => {
      return { id: `${n}`, name: "book", arguments: { n } };
    });
    const context = { conversationId: "c", tools: [BOOK], execute: throws(http(500)) };
    const answers = await contract.handleTurn(calls, context);
    expect(answers.map(({ status }) => status)).toEqual(calls.map(() => "failed"));
  });

  test("calls of unrelated users do not count together", async () => {
    const contract = createContract({ logger: false });
    const place = { conversationId: "default", knowsConversation: false, tools: [BOOK] };
    for (let turn = 0; turn < 12; turn += 1) {
      const call = { id: `${turn}`, name: "book", arguments: {} };
      const [answer] = await contract.handleTurn([call], { ...place, execute: throws(http(500)) });
      expect(answer?.status).toBe("failed");
    }
  });

  test("a run that gets what its tool throws is refused the next time", async () => {
    const contract = createContract({ logger: false });
    const error = http(422);
    const context = { conversationId: "c", runId: "r", tools: [BOOK] };
    const admit = async (id: string) =>
      contract.admit({ id, name: "book", arguments: {} }, context);
    for (let turn = 0; turn < 3; turn += 1) {
      const admission = await admit(`${turn}`);
      if (admission.status !== "admitted") throw new Error(admission.status);
      await expect(admission.run(throws(error))).rejects.toBe(error);
    }
    expect(await admit("last")).toMatchObject({ status: "blocked", lane: "outcome" });
  });

  test("a stage that counts outcomes takes over", async () => {
    const { add } = staged({
      around: async ({ run }) => ({ action: "return", value: await run() }),
    });
    const error = http(422);
    for (let turn = 0; turn < 5; turn += 1) {
      await expect(add({ qty: 1 }, { execute: throws(error) })).rejects.toBe(error);
    }
  });
});
