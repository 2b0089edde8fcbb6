import {
  type CallContext,
  type ContractOptions,
  type HandledInTurn,
  type ToolCall,
  createContract,
} from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { Outcome, type GuardrailsOptions, createGuardrails } from "./index.ts";
import { gate, idle } from "./testing/index.ts";

const transfer = { name: "transfer", inputSchema: { type: "object" } } as const;

/** Transfers of a loop of one's own: who was paid, and what the host was told. */
function open(
  options: Partial<GuardrailsOptions<unknown>> = {},
  contractOptions: ContractOptions = {},
) {
  const world: string[] = [];
  const lines: string[] = [];
  const events: string[] = [];
  const guardrails = createGuardrails({
    effects: { transfer: "irreversible" },
    guardrails: [
      { name: "large", check: ({ args }) => args.amount > 300 && { ask: "more than 300" } },
    ],
    limits: { money: { max: 9_000 } },
    spends: { transfer: ({ args }) => ({ money: args.amount }) },
    ...options,
  });
  const logger = (_: unknown, line: string): void => void lines.push(line);
  const contract = createContract({ guardrails, logger, ...contractOptions });
  for (const name of ["call-admitted", "call-executed", "attempt"] as const)
    contract.on(name, () => events.push(name));
  const pay = ({ to, amount }: { to: string; amount: number }): unknown => {
    world.push(`${to} ${amount}`);
    return `sent to ${to}`;
  };
  const place = { tools: [transfer], conversationId: "t", runId: "r", turnId: "1" };
  return {
    guardrails,
    contract,
    world,
    lines,
    events,
    turn: async (
      calls: readonly ToolCall[],
      context: Partial<CallContext> = {},
      execute: (args: never) => unknown = pay,
    ): Promise<readonly HandledInTurn[]> =>
      contract.handleTurn(calls, {
        ...place,
        execute: (args) => execute(args as never),
        ...context,
      }),
    spent: async () =>
      guardrails
        .usage("money", { conversationId: "t", runId: "r" })
        .then(({ spent, inDoubt }) => spent + inDoubt),
  };
}

const callOf = (to: string, amount: number, id = `call_${to}`): ToolCall => ({
  id,
  name: "transfer",
  arguments: { to, amount },
});
const TWO = [callOf("Kim", 20), callOf("Lee", 800)];
const contents = (answers: readonly HandledInTurn[]) => answers.map(({ result }) => result.content);

describe("a turn that comes again after a grant", () => {
  async function asked(loop: ReturnType<typeof open>, context: Partial<CallContext> = {}) {
    const first = await loop.turn(TWO, context);
    expect(first.map(({ status }) => status)).toEqual(["executed", "ask"]);
    const [, ask] = first;
    if (ask?.status !== "ask") throw new Error("nobody was asked");
    const grant = await loop.guardrails.grant(ask.request, { by: "op", expiresIn: 60_000 });
    return { first, grants: { grants: [grant] } };
  }

  test("what has run is answered with its result, and counts nothing again", async () => {
    const loop = open();
    const { first, grants } = await asked(loop);
    const { admitted } = loop.contract.metrics();
    const again = await loop.turn(structuredClone(TWO), { context: grants });
    expect(contents(again)).toEqual(["sent to Kim", "sent to Lee"]);
    expect(again[0]).toEqual(first[0]);
    expect(loop.world).toEqual(["Kim 20", "Lee 800"]);
    expect(await loop.spent()).toBe(820);
    // Of the second alone.
    expect(loop.contract.metrics().admitted).toBe(admitted + 1);
    expect(loop.lines.filter((line) => line.startsWith("A call came again"))).toHaveLength(1);
    const third = await loop.turn(TWO, { context: grants });
    expect(contents(third)).toEqual(contents(again));
    expect(loop.world).toHaveLength(2);
    expect(loop.events.filter((name) => name === "call-executed")).toHaveLength(2);
  });

  test("the same list is the same message for a host that names no turn", async () => {
    const loop = open();
    const { grants } = await asked(loop, { turnId: undefined as never });
    await loop.turn(TWO, { turnId: undefined as never, context: grants });
    expect(loop.world).toEqual(["Kim 20", "Lee 800"]);
  });

  test.each([{ turnId: "1" }, { turnId: undefined as never }])(
    "calls that came without ids are the same ones again: %o",
    async (turn) => {
      const loop = open();
      const withoutId = ({ name, arguments: args }: ToolCall) => ({ name, arguments: args });
      const bare = TWO.map(withoutId) as unknown as readonly ToolCall[];
      await loop.turn(bare, turn);
      await loop.turn(bare, turn);
      expect(loop.world).toEqual(["Kim 20"]);
    },
  );

  test("calls that are handled or admitted one by one are found too", async () => {
    const loop = open();
    const { grants } = await asked(loop);
    const context = { tool: transfer, conversationId: "t", runId: "r", turnId: "1" };
    const [kim, lee] = TWO as [ToolCall, ToolCall];
    const execute = () => void loop.world.push("again");
    const handled = await loop.contract.handle(kim, { ...context, execute });
    expect(handled.result.content).toBe("sent to Kim");
    const admission = await loop.contract.admit(kim, context);
    if (admission.status !== "admitted") throw new Error("not admitted");
    expect(admission.hasRun).toBe(true);
    await expect(admission.run(async () => execute())).resolves.toBe("sent to Kim");
    const fresh = await loop.contract.admit(lee, { ...context, context: grants });
    expect(fresh).toMatchObject({ status: "admitted", hasRun: false });
    expect(loop.world).toEqual(["Kim 20"]);
  });
});

describe("is another call", () => {
  test.each<[string, Partial<CallContext>, ToolCall[]?]>([
    ["in another turn", { turnId: "2" }],
    ["in another run", { runId: "q" }],
    ["in another conversation", { conversationId: "u" }],
    ["of another user", { context: { user: "Ann" } }],
    ["of another tenant", { context: { tenant: "Acme" } }],
    ["with other arguments", {}, [callOf("Kim", 21)]],
    ["with another id", {}, [callOf("Kim", 20, "other")]],
    ["in a run that is not known", { knowsRun: false }],
    ["in a host that guesses turns", { together: 50 }],
  ])("%s", async (_, context, calls = [callOf("Kim", 20)]) => {
    const loop = open({}, { repeatedCalls: "run" });
    await loop.turn([callOf("Kim", 20)]);
    await loop.turn(calls, context);
    expect(loop.world).toHaveLength(2);
  });

  test("that is equal to one beside it, with its id", async () => {
    const loop = open({}, { repeatedCalls: "run" });
    const calls = [callOf("Kim", 20, ""), callOf("Kim", 20, "")];
    await loop.turn(calls);
    await loop.turn(calls);
    expect(loop.world).toEqual(["Kim 20", "Kim 20"]);
    expect(await loop.spent()).toBe(40);
  });

  test("in a turn that nobody names", async () => {
    const loop = open();
    const unnamed = { turnId: undefined as never };
    await loop.turn([callOf("Kim", 20)], unnamed);
    await loop.turn([callOf("Kim", 20)], unnamed);
    expect(loop.world).toHaveLength(2);
  });

  test("in a contract of its own", async () => {
    const [one, two] = [open(), open()];
    await one.turn(TWO);
    await two.turn(TWO);
    expect([one.world, two.world]).toEqual([["Kim 20"], ["Kim 20"]]);
  });
});

const NO_LIMITS = { limits: {}, spends: {} };

describe.each<[string, Partial<GuardrailsOptions<unknown>>, boolean]>([
  ["irreversible", { effects: { transfer: "irreversible" }, ...NO_LIMITS }, true],
  ["compensable", { effects: { transfer: "compensable" }, ...NO_LIMITS }, true],
  ["idempotent", { effects: { transfer: "idempotent" }, ...NO_LIMITS }, true],
  ["state", { effects: { transfer: "state" }, ...NO_LIMITS }, true],
  ["none that spends", { effects: { transfer: "none" } }, true],
  ["undeclared that spends", { effects: {} }, true],
  ["none", { effects: { transfer: "none" }, ...NO_LIMITS }, false],
  ["undeclared", { effects: {}, ...NO_LIMITS }, false],
])("a tool of effect %s", (_, options, isKept) => {
  test.each<[string, () => unknown]>([
    ["a result", () => "sent"],
    ["nothing", () => undefined],
    ["an object", () => ({ receipt: 7 })],
    [
      "a failure that the model may repair",
      () => Outcome.error("sold_out", "Nothing is left", { retriable: true }),
    ],
    ["a failure that no call repairs", () => Outcome.error("closed", "The bank is closed")],
    ["that nothing was done", () => Outcome.notDone("offline", "Not sent")],
    ["an error result", () => ({ content: [{ type: "text", text: "declined" }], isError: true })],
  ])("%s is the answer again", async (__, end) => {
    const loop = open(options);
    let runs = 0;
    const execute = () => ((runs += 1), end());
    const calls = [callOf("Kim", 20)];
    const first = await loop.turn(calls, {}, execute);
    const again = await loop.turn(structuredClone(calls), {}, execute);
    expect(runs).toBe(isKept ? 1 : 2);
    if (isKept) expect(again).toEqual(first);
  });

  test("what it throws is the answer again", async () => {
    const loop = open(options);
    let runs = 0;
    const execute = () => {
      runs += 1;
      throw Object.assign(new Error("read timeout"), { code: "ETIMEDOUT" });
    };
    const first = await loop.turn([callOf("Kim", 20)], {}, execute);
    const again = await loop.turn([callOf("Kim", 20)], {}, execute);
    if (isKept) expect(again).toEqual(first);
    expect(runs).toBe(isKept ? 1 : 2);
  });
});

describe("a call that was cancelled", () => {
  const stopped = async (loop: ReturnType<typeof open>, isBegun: boolean) => {
    const controller = new AbortController();
    if (!isBegun) controller.abort(new Error("stop"));
    const running = loop.turn([callOf("Kim", 20)], { signal: controller.signal }, async () => {
      loop.world.push("begun");
      controller.abort(new Error("stop"));
      await idle();
      throw new Error("gave up");
    });
    await expect(running).rejects.toThrow("stop");
  };

  test("before it ran, runs when it comes again", async () => {
    const loop = open();
    await stopped(loop, false);
    expect(contents(await loop.turn([callOf("Kim", 20)]))).toEqual(["sent to Kim"]);
  });

  test("while it ran, is refused, once as an attempt: nobody knows what it did", async () => {
    const loop = open();
    await stopped(loop, true);
    const [again] = await loop.turn([callOf("Kim", 20)]);
    expect(again?.status).toBe("blocked");
    expect(again?.result.content).toMatchInlineSnapshot(`
      "Outcome failed for tool 'transfer' (attempt 1/2):

      Errors:
      • (arguments) (GRD-006): The tool failed after it had started, so nobody knows what it has done

      Do not call 'transfer' again for this request: tell the user what is missing, or continue without it."
    `);
    expect(await loop.turn([callOf("Kim", 20)])).toEqual([again]);
    expect(loop.world).toEqual(["begun"]);
  });

  test("while it ran, runs again if it is safe", async () => {
    const loop = open({ effects: { transfer: "idempotent" }, ...NO_LIMITS });
    await stopped(loop, true);
    expect(contents(await loop.turn([callOf("Kim", 20)]))).toEqual(["sent to Kim"]);
  });

  test.each(["GraphInterrupt", "WorkflowSuspension"])(
    "by %s goes on when it comes again",
    async (name) => {
      const loop = open(NO_LIMITS);
      const interrupt = Object.assign(new Error("Approve?"), { name, is_bubble_up: true });
      const waiting = loop.turn([callOf("Kim", 20)], {}, () => {
        throw interrupt;
      });
      await expect(waiting).rejects.toBe(interrupt);
      expect(contents(await loop.turn([callOf("Kim", 20)]))).toEqual(["sent to Kim"]);
    },
  );
});

describe("a call that comes again while it is under way", () => {
  test("waits for the one answer", async () => {
    const loop = open();
    const { promise, open: finish } = gate<string>();
    const execute = async () => (loop.world.push("begun"), promise);
    const all = Promise.all([1, 2, 3].map(async () => loop.turn([callOf("Kim", 20)], {}, execute)));
    await idle();
    const late = loop.turn([callOf("Kim", 20)], {}, execute);
    await idle();
    finish("sent");
    expect([...(await all), await late].map(contents)).toEqual([1, 2, 3, 4].map(() => ["sent"]));
    expect(loop.world).toEqual(["begun"]);
    expect(await loop.spent()).toBe(20);
  });

  test("stops waiting when it is cancelled", async () => {
    const loop = open();
    const { promise, open: finish } = gate<string>();
    const first = loop.turn([callOf("Kim", 20)], {}, async () => promise);
    await idle();
    const controller = new AbortController();
    const second = loop.turn([callOf("Kim", 20)], { signal: controller.signal });
    controller.abort(new Error("stop"));
    await expect(second).rejects.toThrow("stop");
    finish("sent");
    expect(contents(await first)).toEqual(["sent"]);
    expect(loop.world).toEqual([]);
  });

  test("runs if the first has not run", async () => {
    const loop = open();
    const answers = await Promise.all([1, 2].map(async () => loop.turn([callOf("Lee", 800)])));
    expect(answers.flat().map(({ status }) => status)).toEqual(["ask", "ask"]);
    expect(loop.world).toEqual([]);
  });

  test("and is made by its own tool, waits for nothing", async () => {
    const loop = open(NO_LIMITS);
    const inner = async () => loop.turn([callOf("Kim", 20)]);
    const [outer] = await loop.turn([callOf("Kim", 20)], {}, async () => contents(await inner()));
    expect(outer?.result.content).toBe('["sent to Kim"]');
  });
});

describe("what is kept is bounded", () => {
  const UNKEPT =
    "Tool 'transfer' has run and need not be called again, but its result is withheld: it is no longer kept";

  test.each<[string, () => unknown]>([
    ["a long text", () => "x".repeat(70_000)],
    ["a long object", () => ({ text: "x".repeat(70_000) })],
    ["a stream", () => new ReadableStream()],
    [
      "a generator",
      async function* generate() {
        yield await Promise.resolve("sent");
      },
    ],
  ])("%s is not kept, and does not run again", async (_, result) => {
    const loop = open(NO_LIMITS);
    let runs = 0;
    const execute = () => ((runs += 1), result());
    await loop.turn([callOf("Kim", 20)], {}, execute);
    const again = await loop.turn([callOf("Kim", 20)], {}, execute);
    expect(contents(again)).toEqual([UNKEPT]);
    expect(runs).toBe(1);
  });

  test("the oldest results are dropped first, and that it ran later", async () => {
    const loop = open(NO_LIMITS);
    const payTo = async (name: string) => loop.turn([callOf(name, 1)]);
    for (let index = 0; index <= 1_000; index += 1) await payTo(`${index}`);
    expect(contents(await payTo("0"))).toEqual([UNKEPT]);
    expect(contents(await payTo("1"))).toEqual(["sent to 1"]);
    expect(loop.world).toHaveLength(1_001);
  });
});

describe("a call that is sent again under its key", () => {
  const KEYED: Partial<CallContext> = { idempotencyKey: "k", context: { user: "ana" } };
  const ELSEWHERE = { turnId: "2", runId: "r2", conversationId: "u" };

  test.each<[what: string, again: Partial<CallContext>, runs: number]>([
    ["in another turn, run and conversation", { ...KEYED, ...ELSEWHERE }, 1],
    ["in a run that is not known", { ...KEYED, knowsRun: false }, 1],
    ["from a host that guesses turns", { ...KEYED, together: 100, turnId: "2" }, 1],
    ["under another key", { ...KEYED, idempotencyKey: "l" }, 2],
    ["in another turn, under an empty key", { ...KEYED, ...ELSEWHERE, idempotencyKey: "" }, 2],
    ["by another user", { ...KEYED, context: { user: "bob" } }, 2],
    ["by another agent", { ...KEYED, agent: "sub" }, 2],
  ])("%s", async (_, again, runs) => {
    const loop = open();
    const [first] = await loop.turn([callOf("Kim", 20, "1")], KEYED);
    const [second] = await loop.turn([callOf("Kim", 20, "2")], again);
    expect(second?.result).toMatchObject({ content: first?.result.content, toolCallId: "2" });
    expect(loop.world).toHaveLength(runs);
  });

  test("with other arguments it is another call", async () => {
    const loop = open();
    for (const amount of [20, 30]) await loop.turn([callOf("Kim", amount)], KEYED);
    expect(loop.world).toEqual(["Kim 20", "Kim 30"]);
  });
});
