import { createContract } from "@toolcontract/core";
import type { ExecutionStage, StageFailure } from "@toolcontract/core/stage";
import { describe, expect, test, vi } from "vitest";
import { gatedServer, serverOf, textOf, toolCall } from "../testing/gated-server.ts";
import type { Message } from "../wire/index.ts";
import type { GateOptions } from "./options.ts";

const pay: Message = {
  name: "pay",
  inputSchema: {
    type: "object",
    properties: { amount: { type: "integer" } },
    required: ["amount"],
  },
};

/** Refuses amounts above 100 before the request, and those above 10 by the server's answer. */
const limits: ExecutionStage = {
  name: "limits",
  lanes: { guardrail: 2, outcome: 2 },
  async around({ args, run }) {
    const { amount } = args as { readonly amount: number };
    if (amount > 100) {
      return { action: "retry", lane: "guardrail", errors: [{ message: "too much" }] };
    }
    const value = await run();
    const refusal = { action: "retry", lane: "outcome", errors: [{ message: "refused" }] } as const;
    return amount > 10 ? refusal : { action: "return", value };
  },
};

/** Says of every call that its tool failed. */
const failing = (runs: boolean, failure: Partial<StageFailure>): ExecutionStage => ({
  name: "watch",
  lanes: { outcome: 2 },
  around: async ({ run }) => ({
    action: "fail",
    value: runs ? await run() : undefined,
    ...failure,
  }),
});
const OFFLINE = "Tool 'pay' failed: offline";
const UNDONE = "All its state changes were undone.";

const serving = (options: GateOptions = { guardrails: limits }) =>
  gatedServer(serverOf([pay]), options);
const sent = ({ received }: ReturnType<typeof serving>): number =>
  received.filter(({ method }) => method === "tools/call").length;

describe("a stage in the gate", () => {
  test("wraps the request and its response: a refusal before it does not reach the server", async () => {
    const server = serving();
    expect(textOf(await server.call("pay", { amount: 5 }))).toBe("done");
    expect(sent(server)).toBe(1);
    expect(textOf(await server.call("pay", { amount: 500 }))).toContain("Guardrail failed");
    expect(sent(server)).toBe(1);
    expect(textOf(await server.call("pay", { amount: 50 }))).toContain("Outcome failed");
    expect(sent(server)).toBe(2);
  });

  test("sees an error of the server as what the run throws; the client gets the server's own", async () => {
    const thrown: unknown[] = [];
    const guardrails: ExecutionStage = {
      name: "watch",
      lanes: { outcome: 2 },
      async around({ run }) {
        try {
          return { action: "return", value: await run() };
        } catch (error) {
          thrown.push(error);
          return { action: "throw", error };
        }
      },
    };
    const error = { code: -32_000, message: "out of order" };
    const script = serverOf([pay]);
    const server = gatedServer(
      (request) =>
        request["method"] === "tools/call"
          ? { jsonrpc: "2.0", id: request["id"], error }
          : script(request),
      { guardrails },
    );
    expect(await server.call("pay", { amount: 5 })).toMatchObject({ error });
    expect(thrown).toMatchObject([
      { name: "UpstreamError", message: "out of order", code: -32_000 },
    ]);
  });

  test("cannot run the call twice: the client's request is sent once", async () => {
    const thrown: unknown[] = [];
    const guardrails: ExecutionStage = {
      name: "again",
      lanes: { outcome: 2 },
      async around({ run, runsOnce }) {
        const value = await run();
        try {
          await run();
        } catch (error) {
          thrown.push(runsOnce, String(error));
        }
        return { action: "return", value };
      },
    };
    const server = serving({ guardrails });
    expect(textOf(await server.call("pay", { amount: 5 }))).toBe("done");
    expect(sent(server)).toBe(1);
    expect(thrown).toEqual([
      true,
      expect.stringMatching(/^ToolContractError: Stage 'again': this host runs a call once/),
    ]);
  });

  test("may replace the server's result", async () => {
    const guardrails: ExecutionStage = {
      name: "shorten",
      lanes: { outcome: 2 },
      async around({ run }) {
        await run();
        return { action: "return", value: { content: [{ type: "text", text: "short" }] } };
      },
    };
    expect(textOf(await serving({ guardrails }).call("pay", { amount: 5 }))).toBe("short");
  });

  test.each<[string, boolean, object, object]>([
    [
      "before the request",
      false,
      { message: "offline", undone: "all" },
      { isError: true, content: [{ type: "text", text: `${OFFLINE}\n${UNDONE}` }] },
    ],
    [
      "by the server's result",
      true,
      { message: "offline" },
      { isError: true, content: [{ type: "text", text: OFFLINE }] },
    ],
  ])(
    "may say that the tool failed, %s: an error result of its own",
    async (_, runs, failure, result) => {
      const server = serving({ guardrails: failing(runs, failure) });
      expect((await server.call("pay", { amount: 5 }))?.["result"]).toEqual(result);
      expect(sent(server)).toBe(runs ? 1 : 0);
    },
  );

  test("that says that the tool failed without a message passes on the server's result", async () => {
    const answer = await serving({ guardrails: failing(true, {}) }).call("pay", { amount: 5 });
    expect(answer).toEqual(await serving({}).call("pay", { amount: 5 }));
  });

  test("judges calls that nothing else is known of: an unlisted tool, and no tool list at all", async () => {
    const around = vi.fn<NonNullable<ExecutionStage["around"]>>(() => ({
      action: "stop",
      lane: "guardrail",
      errors: [{ message: "not that one" }],
    }));
    const guardrails: ExecutionStage = { name: "closed", lanes: { guardrail: 2 }, around };
    const unlisted = serving({ guardrails });
    expect(textOf(await unlisted.call("other", {}))).toContain("not that one");
    const silent = gatedServer(({ id }) => ({ jsonrpc: "2.0", id, result: {} }), { guardrails });
    expect(textOf(await silent.call("pay", { amount: 5 }))).toContain("not that one");
    expect(around).toHaveBeenCalledTimes(2);
  });

  test("lets nothing pass beside it: what servers may accept against their schema is rejected", async () => {
    const server = serving({ guardrails: limits, onExhausted: "forward", maxAttempts: 1 });
    expect(textOf(await server.call("pay", { amount: "5" }))).toContain("Validation failed");
    expect(textOf(await server.call("pay", { amount: "6" }))).toContain("Validation failed");
    expect(sent(server)).toBe(0);
  });

  test("if it fails, the call is refused and the fault reported once", async () => {
    const guardrails: ExecutionStage = {
      name: "broken",
      lanes: { guardrail: 2 },
      around() {
        throw new TypeError("quotes the arguments");
      },
    };
    const log = vi.fn();
    const server = serving({ guardrails, logger: log });
    for (const amount of [1, 2]) {
      expect(await server.call("pay", { amount })).toMatchObject({ error: { code: -32_603 } });
    }
    expect(sent(server)).toBe(0);
    const faults = log.mock.calls.filter(([, message]) => message === "Tool contract degraded");
    expect(faults).toEqual([
      [expect.objectContaining({ stage: "stage", error_class: "TypeError" }), expect.anything()],
    ]);
    expect(JSON.stringify(log.mock.calls)).not.toContain("quotes");
  });

  test.each([
    ["the client cancels the call", "cancel"],
    ["its connection ends", "close"],
    ["its result is relayed unread, because it is too long", "unread"],
  ])("stops waiting if %s, and counts nothing", async (_, way) => {
    const ended = vi.fn();
    const guardrails: ExecutionStage = {
      name: "watch",
      lanes: { outcome: 2 },
      async around({ run }) {
        try {
          return { action: "return", value: await run() };
        } catch (thrown) {
          ended();
          throw thrown;
        }
      },
    };
    const contract = createContract({ guardrails, logger: () => undefined });
    const server = gatedServer(serverOf([pay]), { contract });
    const { gate } = server;
    await server.call("pay", { amount: 1 });
    const on = server.link();
    await gate.fromClient({ jsonrpc: "2.0", id: 1, method: "tools/list" }, on);
    const ruling = await gate.fromClient(toolCall(9, "pay", { amount: 5 }), on);
    expect(ruling).toEqual({ kind: "forward" });
    expect(gate.awaits(on)).toBe(true);
    if (way === "close") gate.closed(on);
    else if (way === "unread") gate.passUnread({ from: "server", answers: 9 }, on);
    else {
      const params = { requestId: 9 };
      await gate.fromClient({ jsonrpc: "2.0", method: "notifications/cancelled", params }, on);
    }
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce());
    const late = { jsonrpc: "2.0", id: 9, result: { content: [] } };
    expect(await gate.fromServer(late, on)).toBeUndefined();
    expect(contract.metrics()).toMatchObject({ rejected: 0, blocked: 0 });
  });

  test("stops what it does before the request if the client cancels the call", async () => {
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const guardrails: ExecutionStage = {
      name: "wait",
      lanes: { outcome: 2 },
      around: async ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => {
            reject(signal.reason);
          });
          begin();
        }),
    };
    const server = serving({ guardrails });
    await server.call("pay", { amount: "none" });
    const on = server.link();
    const ruling = server.gate.fromClient(toolCall(9, "pay", { amount: 5 }), on);
    await begun;
    const params = { requestId: 9 };
    await server.gate.fromClient({ jsonrpc: "2.0", method: "notifications/cancelled", params }, on);
    expect(await ruling).toEqual({ kind: "drop" });
    expect(sent(server)).toBe(0);
  });

  test.each(["assist", "audit"] as const)(
    "is refused in mode %s, which may refuse no call",
    (mode) => {
      expect(() => serving({ guardrails: limits, mode })).toThrow(
        `createGate: 'guardrails' and 'maxCallsPerTurn' need mode "enforce"`,
      );
      expect(() => serving({ maxCallsPerTurn: 2, mode })).toThrow(`in mode "${mode}"`);
    },
  );
});

test("a result that no stage saw, because it is too long, is counted and reported", async () => {
  const stages: unknown[] = [];
  const logger = (fields: object): void => {
    if ("stage" in fields) stages.push(fields.stage);
  };
  const server = serving({ guardrails: limits, logger });
  const { gate } = server;
  await server.call("pay", { amount: 1 });
  const on = server.link();
  await gate.fromClient(toolCall(9, "pay", { amount: 5 }), on);
  gate.passUnread({ from: "server", answers: 8 }, on);
  expect([stages, gate.awaits(on)]).toEqual([[], true]);
  gate.passUnread({ from: "server", answers: 9 }, on);
  expect([stages, gate.awaits(on)]).toEqual([["too-large"], false]);
  expect(gate.unread()).toEqual({ client: 0, server: 2 });
});
