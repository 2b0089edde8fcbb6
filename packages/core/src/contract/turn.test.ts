import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import type { ContractOptions } from "./options.ts";
import { type ExecuteContext } from "../shared/index.ts";
import {
  type HandledInTurn,
  resultMarker,
  toAnthropic,
  toOpenAI,
  toToolMessage,
} from "../call/index.ts";
import { type ModelTurn, countAttempts, readResultMarker } from "../attempts/index.ts";
import type { StageAnswer, StagedCall } from "../shared/index.ts";
import { ToolContractError } from "@toolcontract/explain";
import { createContract } from "./create-contract.ts";
import { parseRejection } from "../message/index.ts";
import { refusal, staged } from "../testing/staged.ts";

const SAVE = { name: "save", inputSchema: { type: "object", required: ["file"] } } as const;
const HERE = { conversationId: "thread-7", tools: [SAVE] };

/** What each call does, by its id. */
type Acts = Readonly<Record<string, (context: ExecuteContext) => unknown>>;

const callsOf = (acts: Acts) =>
  Object.keys(acts).map((id) => ({ id, name: "save", arguments: { file: id } }));

/** Handles one turn whose calls do what they are told. */
async function turnOf(acts: Acts, context: object = {}, options: ContractOptions = {}) {
  const contract = createContract({ logger: false, ...options });
  const calls = callsOf(acts);
  const execute = (_: unknown, call: ExecuteContext): unknown => acts[call.call.id]?.(call);
  const handled = contract.handleTurn(calls, { ...HERE, execute, ...context });
  const [ended] = await Promise.allSettled([handled]);
  return { contract, calls, ended, settled: contract.settledCalls(calls) };
}

/** The answers of a turn in which no tool steers the host. */
async function answersOf(acts: Acts, options?: ContractOptions): Promise<readonly HandledInTurn[]> {
  const { ended } = await turnOf(acts, {}, options);
  if (ended.status === "rejected") throw new Error("the turn threw", { cause: ended.reason });
  return ended.value;
}

const throws = (thrown: unknown) => (): never => {
  throw thrown;
};
const rejects = (thrown: unknown) => async (): Promise<never> => {
  await sleep(0);
  throw thrown;
};

/** The text of a call that threw this. */
async function textOf(thrown: unknown, options?: ContractOptions): Promise<string> {
  const [answer] = await answersOf({ one: throws(thrown) }, options);
  return answer?.result.content ?? "";
}

describe("a tool that throws", () => {
  const full = Object.freeze(new Error("disk full"));

  test.each([
    ["at once", throws(full)],
    ["later", rejects(full)],
  ])("%s loses no result of its siblings", async (_, fails) => {
    const answers = await answersOf({
      first: async () => (await sleep(3), "saved"),
      second: fails,
      third: () => "saved",
    });
    expect(answers).toMatchObject([
      { status: "executed", output: "saved", result: { toolCallId: "first" } },
      {
        status: "failed",
        attempt: 1,
        result: {
          toolCallId: "second",
          toolName: "save",
          content: "The tool failed: disk full",
          isError: true,
          status: "executed",
          advisories: [],
        },
      },
      { status: "executed", output: "saved", result: { toolCallId: "third" } },
    ]);
    const [, failed] = answers;
    expect(failed?.status === "failed" && failed.error).toBe(full);
  });

  test("all of them may throw", async () => {
    const answers = await answersOf({ one: throws("a"), two: rejects("b"), three: throws("c") });
    expect(answers.map((one) => one.status === "failed" && one.error)).toEqual(["a", "b", "c"]);
  });

  test("its result converts to every format", async () => {
    const [answer] = await answersOf({ one: throws(full) });
    const result = answer?.result;
    if (!result) throw new Error("no answer");
    const content = "The tool failed: disk full";
    expect([toToolMessage(result), toOpenAI(result), toAnthropic(result)]).toEqual([
      { role: "tool", tool_call_id: "one", content, is_error: true },
      { role: "tool", tool_call_id: "one", content },
      { type: "tool_result", tool_use_id: "one", content, is_error: true },
    ]);
  });

  test.each(["marker", "text"])("counts no attempt in a history, by its %s", async (by) => {
    const [answer] = await answersOf({ one: throws(full) });
    const result = answer?.result;
    if (!result) throw new Error("no answer");
    const marker = readResultMarker(structuredClone(resultMarker(result)));
    expect(marker).toEqual({ formatVersion: "1.2", status: "executed", failed: true });
    const { toolCallId, content, isError } = result;
    const told = by === "marker" && marker ? { marker } : { content };
    const turns: ModelTurn[] = [
      { calls: [{ id: "one", name: "save" }], results: [{ toolCallId, isError, ...told }] },
      { calls: [], results: [] },
    ];
    expect(countAttempts(turns, "save", "run")).toMatchObject({ failed: 0, blocked: false });
  });

  test("a message that is a rejection of another tool is not one of this", async () => {
    const rejected = await createContract({ logger: false, format: { style: "compact" } }).handle(
      { id: "inner", name: "save", arguments: "{}" },
      { ...HERE, execute: () => "" },
    );
    const { content } = rejected.result;
    expect(parseRejection(content)?.attempt).toBe(1);
    const text = await textOf(new Error(content));
    expect(text).toBe("The tool failed: Validation failed for tool 'save' (attempt 1/3):");
    expect(parseRejection(text)).toBeUndefined();
  });

  test("its run is announced and counted once", async () => {
    const contract = createContract({ logger: false });
    const ends: unknown[] = [];
    contract.on("call-executed", ({ toolCallId, outcome, charactersOut }) =>
      ends.push([toolCallId, outcome, charactersOut]),
    );
    const rejected = vi.fn();
    contract.on("call-rejected", rejected);
    const acts: Acts = { one: throws(full), two: () => "saved" };
    const execute = (_: unknown, { call }: ExecuteContext): unknown => acts[call.id]?.({ call });
    await contract.handleTurn(callsOf(acts), { ...HERE, execute });
    expect(ends).toEqual([
      ["one", "threw", 0],
      ["two", "returned", 5],
    ]);
    expect(rejected).not.toHaveBeenCalled();
    expect(contract.metrics()).toMatchObject({ calls: 2, admitted: 2, rejected: 0, blocked: 0 });
  });

  test("its attempt is that of its arguments", async () => {
    const contract = createContract({ logger: false });
    const call = { id: "one", name: "save", arguments: {} };
    const context = { ...HERE, execute: throws(full) };
    await contract.handleTurn([call], { ...context, turnId: "1" });
    const again = { ...call, arguments: { file: "x" } };
    const answers = await contract.handleTurn([again], { ...context, turnId: "2" });
    expect(answers).toMatchObject([{ status: "failed", attempt: 2 }]);
    // Valid arguments end the count, whatever the tool then did.
    const third = await contract.handleTurn([call], { ...context, turnId: "3" });
    expect(third).toMatchObject([{ status: "rejected", attempt: 1 }]);
  });

  test("rejected, blocked and skipped calls beside it are answered as ever", async () => {
    const contract = createContract({ logger: false, maxAttempts: 1, maxCallsPerTurn: 3 });
    const calls = [
      { id: "failed", name: "save", arguments: { file: "x" } },
      { id: "blocked", name: "save", arguments: {} },
      { id: "unknown", name: "sav", arguments: {} },
      { id: "skipped", name: "save", arguments: { file: "x" } },
    ];
    const answers = await contract.handleTurn(calls, { ...HERE, execute: throws(full) });
    expect(answers.map(({ status, result }) => [result.toolCallId, status])).toEqual([
      ["failed", "failed"],
      ["blocked", "blocked"],
      ["unknown", "blocked"],
      ["skipped", "rejected"],
    ]);
  });

  test("advisories stay with the result", async () => {
    const note = { message: "no extension", severity: "warning" } as const;
    const [answer] = await answersOf({ one: throws(full) }, { rules: { save: [() => [note]] } });
    expect(answer?.result.advisories).toMatchObject([note]);
  });

  test("handle and run throw what it throws", async () => {
    const contract = createContract({ logger: false });
    const [call] = callsOf({ one: () => "" });
    if (!call) throw new Error("no call");
    await expect(contract.handle(call, { ...HERE, execute: throws(full) })).rejects.toBe(full);
    const admission = await contract.admit(call, HERE);
    if (admission.status !== "admitted") throw new Error("refused");
    expect(() => admission.run(throws(full))).toThrow(full);
    await expect(admission.settle(rejects(full))).rejects.toBe(full);
  });
});

describe("what the model reads of something thrown", () => {
  const NO_REASON = "The tool failed: it gave no reason";
  const hostile = new Error("never read");
  Object.defineProperty(hostile, "message", { get: throws(new Error("no")) });
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();
  const traps = Object.fromEntries(
    Object.getOwnPropertyNames(Reflect).map((name) => [name, throws(new Error("trap"))]),
  );
  const inner = new Error("password of the database");
  const caused = new Error("no connection", { cause: inner });

  test.each<readonly [string, unknown, string]>([
    ["an error", new TypeError("no such file"), "The tool failed: no such file"],
    ["a string", "out of paper", "The tool failed: out of paper"],
    ["a number", 404, "The tool failed: 404"],
    ["an object with a message", { message: "sold out" }, "The tool failed: sold out"],
    ["an error without a message", new RangeError(""), "The tool failed: RangeError"],
    ["undefined", undefined, NO_REASON],
    ["null", null, NO_REASON],
    ["an empty string", "", NO_REASON],
    ["blanks", " \n\t", NO_REASON],
    ["a symbol", Symbol("x"), NO_REASON],
    ["an object", Object.freeze({ code: 7 }), NO_REASON],
    ["a message that is not a string", { message: { toString: throws("no") } }, NO_REASON],
    ["an error whose message throws", hostile, NO_REASON],
    ["a revoked proxy", revoked, NO_REASON],
    ["a proxy whose traps throw", new Proxy({}, traps), NO_REASON],
    [
      "several lines",
      new Error("\n disk full\n    at save (/srv/x.js:1)"),
      "The tool failed: disk full",
    ],
    ["another line break", new Error("disk full\u2028at save"), "The tool failed: disk full"],
    [
      "its stack alone",
      Object.assign(new Error("disk full"), { stack: "SECRET" }),
      "The tool failed: disk full",
    ],
    ["a cause", caused, "The tool failed: no connection"],
    ["several errors", new AggregateError([inner], "all failed"), "The tool failed: all failed"],
    [
      "a secret by name",
      new Error("password=hunter2-x is wrong"),
      "The tool failed: password=[redacted] is wrong",
    ],
    [
      "a secret by shape",
      new Error("401 for sk-proj-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789"),
      "The tool failed: 401 for [redacted]",
    ],
    [
      "a path",
      new Error("ENOENT: no such file, open '/srv/app/data/notes.md'"),
      "The tool failed: ENOENT: no such file, open 'data/notes.md'",
    ],
    ["a path elsewhere", new Error("in /home/bob/keys/x.pem"), "The tool failed: in ~/keys/x.pem"],
    [
      "control characters",
      new Error("a\u0007b\u001b[31mc"),
      "The tool failed: a\\u0007b\\u001b[31mc",
    ],
    ["characters that turn a line around", new Error("a\u202eb"), "The tool failed: a\\u202eb"],
    ["half a pair", new Error("a\ud83d"), "The tool failed: a\\ud83d"],
  ])("%s", async (_, thrown, text) => {
    expect(await textOf(thrown, { workspaceRoot: "/srv/app" })).toBe(text);
  });

  test("a secret that was sent is not repeated", async () => {
    const tool = { name: "login", validator: z.object({ user: z.string(), password: z.string() }) };
    const call = { id: "1", name: "login", arguments: { user: "bob", password: "swordfish" } };
    const [answer] = await createContract({ logger: false }).handleTurn([call], {
      conversationId: "c",
      tools: [tool],
      execute: throws(new Error("bob:swordfish was refused")),
    });
    expect(answer?.result.content).toBe("The tool failed: bob:[redacted] was refused");
  });

  test.each([
    ["the default", {}, 600],
    ["a short limit", { maxLength: 400 }, 400],
    ["a limit in tokens", { maxTokens: 60 }, 600],
  ])("a huge message is cut to %s", async (_, format, most) => {
    for (const unit of ["x", "long ", "e\u0301", "👩‍👩‍👧‍👦", "\u0301", "\u202e", "\n"]) {
      const text = await textOf(new Error(`why: ${unit.repeat(1_000_000)}`), { format });
      expect(text.length).toBeLessThanOrEqual(most);
      expect(text).toMatch(/^The tool failed: why:/);
      expect(() => encodeURIComponent(text)).not.toThrow();
    }
  });

  test("whatever is thrown: one line, within the limits, no rejection", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.anything(),
          fc.string({ unit: "binary" }).map((text) => new Error(text)),
          fc.string({ unit: "binary" }),
        ),
        async (thrown) => {
          const [answer] = await answersOf({ one: throws(thrown) });
          expect(answer?.status === "failed" && Object.is(answer.error, thrown)).toBe(true);
          const text = answer?.result.content ?? "";
          expect(text).toMatch(/^The tool failed: \S/);
          expect(text).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u);
          expect(text.length).toBeLessThanOrEqual(600);
          expect(parseRejection(text)).toBeUndefined();
        },
      ),
    );
  });
});

describe("the host's control flow", () => {
  const interrupt = Object.freeze(Object.assign(new Error("ask"), { is_bubble_up: true }));
  const redirect = Object.assign(new Error("NEXT_REDIRECT"), { digest: "NEXT_REDIRECT;push;/" });

  test.each<readonly [string, unknown]>([
    ["an interrupt", interrupt],
    ["an interrupt whose class was lost", { name: "GraphInterrupt", message: "[]" }],
    ["a redirect", redirect],
    ["a tripwire", Object.assign(new Error("stop"), { name: "TripWire" })],
    ["a workflow that waits", Object.assign(new Error(""), { name: "WorkflowSuspension" })],
  ])("%s passes as the same object once the others are done", async (_, thrown) => {
    const done: string[] = [];
    const { ended, settled } = await turnOf({
      first: throws(thrown),
      second: async () => (await sleep(3), done.push("second"), "saved"),
      third: rejects("disk full"),
      fourth: throws(interrupt),
    });
    expect(ended.status === "rejected" && ended.reason).toBe(thrown);
    expect(done).toEqual(["second"]);
    expect(settled).toMatchObject([
      { status: "executed", output: "saved", result: { toolCallId: "second" } },
      { status: "failed", error: "disk full", result: { toolCallId: "third" } },
    ]);
  });

  test.each<readonly [string, unknown]>([
    ["an error", Object.freeze(new Error("the user left"))],
    ["a string", "the user left"],
    ["undefined", undefined],
    ["NaN", Number.NaN],
  ])("an abort with %s as its reason, while calls run", async (_, reason) => {
    const controller = new AbortController();
    const { signal } = controller;
    const waits = async (): Promise<never> =>
      new Promise((__, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    const { ended, settled } = await turnOf(
      {
        quick: () => "saved",
        waits,
        failed: throws("disk full"),
        stops: async () => {
          await sleep(1);
          controller.abort(reason);
          return "saved too";
        },
      },
      { signal },
    );
    expect(ended).toEqual({ status: "rejected", reason: signal.reason });
    expect(settled).toMatchObject([
      { status: "executed", output: "saved" },
      { status: "failed", error: "disk full" },
      { status: "executed", output: "saved too" },
    ]);
  });

  test("a signal that has aborted before throws its reason; nothing is settled", async () => {
    const run = vi.fn();
    const { ended, settled } = await turnOf({ one: run }, { signal: AbortSignal.abort("left") });
    expect([ended, settled]).toEqual([{ status: "rejected", reason: "left" }, []]);
    expect(run).not.toHaveBeenCalled();
  });

  test("no call starts after an abort, and those that have started may end", async () => {
    const controller = new AbortController();
    const late = vi.fn();
    const stop = async (): Promise<string> => {
      await sleep(1);
      controller.abort("left");
      return "saved";
    };
    const context = { signal: controller.signal };
    const { ended } = await turnOf({ one: stop, two: async () => sleep(3, "saved") }, context);
    expect(ended).toMatchObject({ value: [{ output: "saved" }, { output: "saved" }] });
    const slow = async ({ file }: { file: string }): Promise<[]> =>
      sleep(file === "two" ? 5 : 0, []);
    const again = new AbortController();
    const acts = { one: () => (again.abort("left"), "saved"), two: late };
    const turn = await turnOf(acts, { signal: again.signal }, { rules: { save: [slow] } });
    expect(turn.ended).toEqual({ status: "rejected", reason: "left" });
    expect(turn.settled).toMatchObject([{ status: "executed", output: "saved" }]);
    expect(late).not.toHaveBeenCalled();
  });

  test("a tool that gives up its own request has failed", async () => {
    const abort = new DOMException("This operation was aborted", "AbortError");
    const { signal } = new AbortController();
    const { ended } = await turnOf({ one: throws(abort) }, { signal });
    expect(ended).toMatchObject({ value: [{ status: "failed", error: abort }] });
  });

  test("two users whose signals share a reason read only their own results", async () => {
    const shutdown = new AbortController();
    const reason = new Error("the server stops");
    const contract = createContract({ logger: false });
    const users = ["ann", "bob"].map((user) => {
      const calls = [`${user}-1`, `${user}-2`].map((id) => ({
        id,
        name: "save",
        arguments: { file: id },
      }));
      const execute = async (_: unknown, { call }: ExecuteContext): Promise<string> => {
        if (call.id.endsWith("1")) return `saved for ${user}`;
        await sleep(1);
        shutdown.abort(reason);
        throw reason;
      };
      const { signal } = shutdown;
      const turn = contract.handleTurn(calls, { ...HERE, conversationId: user, signal, execute });
      return { user, calls, turn };
    });
    const ends = await Promise.allSettled(users.map(({ turn }) => turn));
    expect(ends).toEqual(users.map(() => ({ status: "rejected", reason })));
    for (const { user, calls } of users) {
      expect(contract.settledCalls(calls).map(({ result }) => result.content)).toEqual([
        `saved for ${user}`,
      ]);
    }
  });

  test("nothing is kept of a turn that was answered, nor of one that is handled again", async () => {
    const { contract, calls, settled } = await turnOf({
      one: () => "saved",
      two: throws(interrupt),
    });
    expect(settled).toHaveLength(1);
    await contract.handleTurn(calls, { ...HERE, execute: () => "saved" });
    expect(contract.settledCalls(calls)).toEqual([]);
    expect(contract.settledCalls([])).toEqual([]);
  });
});

describe("misuse throws before any call of the turn runs", () => {
  const good = { id: "good", name: "save", arguments: { file: "x" } };
  const odd = { name: "odd", parameters: {} };

  test.each<readonly [string, object, object]>([
    ["a call without a name", { id: "bad" }, {}],
    ["a tool without a schema", { id: "bad", name: "odd", arguments: {} }, {}],
    ["no function", { ...good, id: "bad" }, { execute: undefined }],
    ["no conversation", { ...good, id: "bad" }, { conversationId: "" }],
  ])("%s", async (_, bad, context) => {
    const execute = vi.fn(() => "saved");
    const contract = createContract({ logger: false });
    const calls = [good, bad as typeof good];
    const given = { ...HERE, tools: [SAVE, odd], execute, ...context };
    await expect(contract.handleTurn(calls, given)).rejects.toThrow(ToolContractError);
    expect(execute).not.toHaveBeenCalled();
    expect(contract.metrics().calls).toBe(0);
    expect(contract.settledCalls(calls)).toEqual([]);
  });

  test("a ToolContractError of a tool is a failure of that tool", async () => {
    const error = new ToolContractError("of another contract");
    const answers = await answersOf({
      one: throws(error),
      two: rejects(error),
      three: () => "saved",
    });
    expect(answers).toMatchObject([
      { status: "failed", error },
      { status: "failed", error },
      { status: "executed" },
    ]);
  });
});

describe("with a stage", () => {
  const error = new Error("no stock service");
  const turn = async (
    around: (call: StagedCall) => StageAnswer | Promise<StageAnswer>,
    run: () => unknown,
  ) => {
    const { contract } = staged({ around });
    const calls = ["1", "2"].map((id) => ({
      id,
      name: "add_item",
      arguments: { qty: Number(id) },
    }));
    const execute = (_: unknown, { call }: ExecuteContext): unknown =>
      call.id === "1" ? run() : "added";
    const context = { conversationId: "c", tool: { name: "add_item" }, execute };
    const [ended] = await Promise.allSettled([contract.handleTurn(calls, context)]);
    return { ended, settled: contract.settledCalls(calls) };
  };
  const pass = async ({ run }: StagedCall): Promise<StageAnswer> => ({
    action: "return",
    value: await run(),
  });
  const first = (answer: () => StageAnswer) => async (staging: StagedCall) =>
    staging.call.id === "1" ? answer() : pass(staging);

  test.each<readonly [string, Parameters<typeof turn>[0], () => unknown]>([
    ["a tool that throws", pass, throws(error)],
    ["a stage that answers throw", first(() => ({ action: "throw", error })), () => "added"],
    ["a stage that throws", first(throws(error)), () => "added"],
  ])("%s has failed", async (_, around, run) => {
    const { ended } = await turn(around, run);
    expect(ended).toMatchObject({
      value: [
        { status: "failed", error, result: { content: "The tool failed: no stock service" } },
        { status: "executed", output: "added" },
      ],
    });
  });

  test.each<readonly [string, StageAnswer]>([
    ["no answer", undefined as never],
    ["a lane that it does not count in", refusal({ lane: "generation" })],
  ])("a mistake of the stage's author still throws: %s", async (_, answer) => {
    const { ended, settled } = await turn(
      first(() => answer),
      () => "added",
    );
    expect(ended).toMatchObject({ status: "rejected", reason: { name: "ToolContractError" } });
    expect(settled).toMatchObject([{ status: "executed", output: "added" }]);
  });
});

describe("admitTurn", () => {
  const bad = (id: string) => ({ id, name: "save", arguments: {} });
  const good = (id: string) => ({ id, name: "save", arguments: { file: id } });
  const cut = (id: string) => ({ id, name: "save", arguments: '{"file":"no' });

  test("decides on every call, in order, and runs none", async () => {
    const contract = createContract({ logger: false });
    const admissions = await contract.admitTurn([bad("a"), good("b"), bad("c")], HERE);
    expect(admissions).toMatchObject([
      { status: "rejected", attempt: 1, result: { toolCallId: "a" } },
      { status: "admitted", input: { file: "b" } },
      { status: "rejected", attempt: 1, result: { toolCallId: "c" } },
    ]);
  });

  test("counts a message as one attempt, and the next as another", async () => {
    const contract = createContract({ logger: false });
    const attempts = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const [first] = await contract.admitTurn([bad(`a${turn}`), bad(`b${turn}`)], HERE);
      attempts.push([first?.status, first?.attempt]);
    }
    expect(attempts).toEqual([
      ["rejected", 1],
      ["rejected", 2],
      ["blocked", 3],
    ]);
  });

  test("the reason why the output ended is that of the last call", async () => {
    const contract = createContract({ logger: false });
    const context = { ...HERE, finishReason: "length" };
    const admissions = await contract.admitTurn([good("a"), cut("b")], context);
    expect(admissions).toMatchObject([
      { status: "admitted" },
      { status: "rejected", errors: [{ errorCode: "VAL-011" }] },
    ]);
  });

  test.each([
    [undefined, HERE, "the first argument must be an array of calls"],
    [[], undefined, "the second argument must be { conversationId, tools }"],
  ])("throws at once for %j", async (calls, context, words) => {
    const contract = createContract({ logger: false });
    await expect(contract.admitTurn(calls as never, context as never)).rejects.toThrow(
      `contract.admitTurn: ${words}`,
    );
  });
});
