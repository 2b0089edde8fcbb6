import { type Ledger, createContract } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { type OwnLoop, endOf, gate, idle, ownLoop } from "../testing/index.ts";
import {
  type GuardrailsOptions,
  type LimitOptions,
  Outcome,
  createGuardrails,
  memoryLedger,
} from "../index.ts";

type Options = GuardrailsOptions<unknown, "budget">;

/** A loop whose tool `pay` spends its amount from one limit. */
function payLoop(limit: LimitOptions, options: Partial<Options> = {}): OwnLoop<unknown, "budget"> {
  return ownLoop({
    guardrails: [],
    effects: { pay: "irreversible" },
    limits: { budget: limit },
    spends: { pay: ({ args }) => ({ budget: args.amount }) },
    ...options,
  });
}

const paid = (): string => "paid";

test("a call that does not fit is refused before it runs, with the limit and what is left", async () => {
  const { call, guardrails } = payLoop({ max: 100 });
  expect(endOf(await call("pay", paid, { amount: 80 }))).toBe("paid");
  let ran = 0;
  const refused = await call("pay", () => (ran += 1), { amount: 30 });
  expect(refused.result.content).toBe(
    `Guardrail failed for tool 'pay' (attempt 1/3):

Errors:
• (arguments) (GRD-008): limit 'budget' allows 100, and 20 are left
  Hint: stay within 20

Correct these and call 'pay' again with all arguments.`,
  );
  expect(ran).toBe(0);
  expect(endOf(await call("pay", paid, { amount: 20 }))).toBe("paid");
  expect(await guardrails.usage("budget", { conversationId: "thread-7" })).toEqual({
    max: 100,
    spent: 100,
    reserved: 0,
    inDoubt: 0,
    left: 0,
  });
});

test.each<readonly [string, LimitOptions, string]>([
  ["some is left", { max: 1.5 }, "allows 1.5, and 0.5 are left\n  Hint: stay within 0.5\n"],
  ["one is left", { max: 2 }, "allows 2, and 1 is left\n  Hint: stay within 1\n"],
  ["nothing is left", { max: 1 }, "allows 1, and 0 are left\n  Hint: go on without it\n"],
  [
    "nothing is left for a while",
    { max: 1, per: "minute" },
    "allows 1 per minute, and 0 are left\n  Hint: go on without it, or try again later\n",
  ],
  [
    "nothing is left of the run",
    { max: 1, per: "run" },
    "allows 1 per run, and 0 are left\n  Hint: go on without it\n",
  ],
])("the model reads what to do if %s", async (_, limit, words) => {
  const { call } = payLoop(limit, { spends: { pay: ({ args }) => ({ budget: args.amount }) } });
  await call("pay", paid, { amount: 1 }, { runId: "r" });
  const { result } = await call("pay", paid, { amount: 1.25 }, { runId: "r" });
  expect(result.content).toContain(`limit 'budget' ${words}`);
});

test("amounts are reserved before the tool runs, so parallel calls cannot exceed a limit", async () => {
  const { call, guardrails } = payLoop({ max: 100 });
  const { promise, open } = gate();
  const first = call("pay", async () => promise, { amount: 80 });
  const second = await call("pay", paid, { amount: 80 });
  expect(endOf(second)).toBe("rejected guardrail 1/3");
  const place = { conversationId: "thread-7" };
  expect(await guardrails.usage("budget", place)).toMatchObject({ reserved: 80, spent: 0 });
  open();
  await first;
  expect(await guardrails.usage("budget", place)).toMatchObject({ reserved: 0, spent: 80 });
});

test("several limits are reserved together or not at all, and all that do not fit are named", async () => {
  const { call, guardrails } = ownLoop({
    guardrails: [],
    limits: { budget: { max: 100 }, mails: { max: 1 }, calls: { max: 9 } },
    spends: { pay: ({ args }) => ({ budget: args.amount, mails: 1, calls: 1 }) },
  });
  await call("pay", paid, { amount: 60 });
  const { result } = await call("pay", paid, { amount: 60 });
  expect(result.content).toContain("limit 'budget' allows 100, and 40 are left");
  expect(result.content).toContain("limit 'mails' allows 1, and 0 are left");
  const place = { conversationId: "thread-7" };
  expect(await guardrails.usage("calls", place)).toMatchObject({ spent: 1, reserved: 0 });
});

describe("an amount that is not a finite number of at least 0 is refused, and nothing runs:", () => {
  test.each([
    ["missing", undefined],
    ["null", null],
    ["NaN", Number.NaN],
    ["infinite", Number.POSITIVE_INFINITY],
    ["negative", -1_000],
    ["text", "20"],
    ["a list", [20]],
    ["an object", Object(20)],
    ["a bigint", 20n],
  ])("%s", async (_, amount) => {
    const { call, guardrails } = payLoop(
      { max: 100 },
      { spends: { pay: () => ({ budget: amount as number }) } },
    );
    let ran = 0;
    const { result } = await call("pay", () => (ran += 1));
    expect(result.content).toContain(
      "(GRD-001): the amount for limit 'budget' must be a finite number of at least 0",
    );
    expect(ran).toBe(0);
    const place = { conversationId: "thread-7" };
    expect(await guardrails.usage("budget", place)).toMatchObject({ left: 100 });
  });
});

test.each([
  ["budgte", "Did you mean 'budget'?"],
  ["constructor", "There are budget, mails"],
])("`spends` that names '%s' is an error of the program", async (limit, help) => {
  const { call } = payLoop(
    { max: 100 },
    {
      limits: { budget: { max: 100 }, mails: { max: 1 } } as never,
      spends: { pay: () => ({ [limit]: 1 }) },
    },
  );
  let ran = 0;
  await expect(call("pay", () => (ran += 1))).rejects.toThrow(help);
  expect(ran).toBe(0);
});

test("`spends` that answers no object is an error of the program", async () => {
  const { call } = payLoop({ max: 100 }, { spends: { pay: () => undefined as never } });
  await expect(call("pay", paid)).rejects.toThrow("must answer amounts by limit");
});

test.each<readonly [string, () => never]>([
  [
    "throws",
    () => {
      throw new RangeError("secret");
    },
  ],
  ["rejects", (async () => Promise.reject(new RangeError("secret"))) as unknown as () => never],
])("`spends` that %s refuses the call and is reported", async (_, fail) => {
  const { call, lines } = payLoop({ max: 100 }, { spends: { pay: fail } });
  expect(endOf(await call("pay", paid))).toBe("blocked guardrail 1/3 guardrail_failed");
  expect(lines).toContainEqual({
    message: "What a call spends could not be computed",
    fields: expect.objectContaining({ tool_name: "pay", error: "RangeError" }),
  });
});

test.each([
  ["no limit", {}],
  ["nothing of its limit", { budget: 0 }],
])("a call that spends %s runs and leaves all of it", async (_, amounts) => {
  const { call, guardrails } = payLoop({ max: 0 }, { spends: { pay: () => amounts } });
  expect(endOf(await call("pay", paid))).toBe("paid");
  expect(await guardrails.usage("budget", { conversationId: "thread-7" })).toMatchObject({
    spent: 0,
    left: 0,
  });
});

test("0.1 and 0.2 are 0.3, and a limit of whole numbers is exact", async () => {
  const { call } = payLoop({ max: 0.3 });
  await call("pay", paid, { amount: 0.1 });
  expect(endOf(await call("pay", paid, { amount: 0.2 }))).toBe("paid");
  const large = payLoop({ max: 2 ** 53 - 1 });
  await large.call("pay", paid, { amount: 2 ** 53 - 2 });
  expect(endOf(await large.call("pay", paid, { amount: 2 }))).toBe("rejected guardrail 1/3");
});

describe("what gives an amount back:", () => {
  const place = { conversationId: "thread-7" };

  test.each([
    ["returned", () => Outcome.notDone("declined", "the bank said no")],
    ["thrown", () => Promise.reject(Outcome.notDone("declined", "the bank said no") as never)],
  ])("Outcome.notDone, %s", async (_, execute) => {
    const { call, guardrails } = payLoop({ max: 100 });
    await call("pay", execute, { amount: 80 }).catch(() => undefined);
    expect(await guardrails.usage("budget", place)).toMatchObject({ left: 100, inDoubt: 0 });
  });

  test("a tool that says so may be corrected by the model, also if it is irreversible", async () => {
    const { call } = payLoop({ max: 100 });
    const declined = await call(
      "pay",
      () => Outcome.notDone("no_iban", "send an IBAN", { retriable: true }),
      {
        amount: 80,
      },
    );
    expect(endOf(declined)).toBe("rejected outcome 1/2");
    expect(endOf(await call("pay", paid, { amount: 80 }))).toBe("paid");
  });

  test("the call is cancelled before its tool has started", async () => {
    const controller = new AbortController();
    const ledger = memoryLedger();
    const { call, guardrails } = payLoop(
      { max: 100 },
      {
        ledger: {
          ...ledger,
          reserve(entry) {
            controller.abort();
            return ledger.reserve(entry);
          },
        },
      },
    );
    let ran = 0;
    const cancelled = call("pay", () => (ran += 1), { amount: 80 }, { signal: controller.signal });
    await expect(cancelled).rejects.toThrow("aborted");
    expect(ran).toBe(0);
    expect(await guardrails.usage("budget", place)).toMatchObject({ left: 100 });
  });

  test("a tool that was given up says later that nothing has happened", async () => {
    const { call, guardrails } = payLoop({ max: 100 }, { timeLimits: { tool: 5 } });
    const late = gate<unknown>();
    await call("pay", async () => late.promise, { amount: 80 }).catch(() => undefined);
    expect(await guardrails.usage("budget", place)).toMatchObject({ inDoubt: 80 });
    late.open(Outcome.notDone("declined", "the bank said no"));
    await late.promise;
    await expect
      .poll(() => guardrails.usage("budget", place))
      .toMatchObject({ inDoubt: 0, left: 100 });
  });

  test("a ledger that reserves only after it was asked to give back holds nothing", async () => {
    const ledger = memoryLedger();
    const slow = gate();
    const late: Ledger = {
      ...ledger,
      async reserve(entry) {
        await slow.promise;
        return ledger.reserve(entry);
      },
    };
    const { call, guardrails } = payLoop({ max: 100 }, { ledger: late, timeLimits: { store: 5 } });
    const { status } = await call("pay", () => expect.unreachable(), { amount: 80 });
    expect(status).toBe("rejected");
    slow.open();
    await slow.promise;
    await idle();
    expect(await ledger.open()).toEqual([]);
    expect(await guardrails.usage("budget", place)).toMatchObject({ left: 100 });
  });

  test("settle() may give back a rest", async () => {
    const spends = {
      pay: {
        reserve: ({ args }: { readonly args: { readonly amount: number } }) => ({
          budget: args.amount,
        }),
        settle: ({ result }: { readonly result: { readonly charged: number } }) => ({
          budget: result.charged,
        }),
      },
    };
    const { call, guardrails, lines } = payLoop({ max: 100 }, { spends });
    await call("pay", () => ({ charged: 30 }), { amount: 80 });
    expect(await guardrails.usage("budget", place)).toMatchObject({ spent: 30, left: 70 });
    await call("pay", () => ({ charged: 0 }), { amount: 60 });
    expect(await guardrails.usage("budget", place)).toMatchObject({ spent: 30, left: 70 });
    // What cannot be settled is spent as it was reserved.
    await call("pay", () => ({ charged: Number.NaN }), { amount: 50 });
    expect(await guardrails.usage("budget", place)).toMatchObject({ spent: 80, left: 20 });
    expect(lines).toEqual([
      {
        message: "What a call has spent could not be settled, so all that was reserved is spent",
        fields: expect.objectContaining({ tool_name: "pay", limits: "budget" }),
      },
    ]);
  });

  test("settle() that throws spends all", async () => {
    const settle = (): never => {
      throw new RangeError("secret");
    };
    const spends = { pay: { reserve: () => ({ budget: 80 }), settle } };
    const { call, guardrails, lines } = payLoop({ max: 100 }, { spends });
    expect(endOf(await call("pay", paid))).toBe("paid");
    expect(await guardrails.usage("budget", place)).toMatchObject({ spent: 80 });
    expect(lines).toEqual([
      {
        message: "What a call has spent could not be settled, so all that was reserved is spent",
        fields: expect.objectContaining({ tool_name: "pay", error: "RangeError" }),
      },
    ]);
  });
});

describe("reconcile", () => {
  const place = { conversationId: "thread-7" };
  const throwing = (): unknown => Outcome.error("no_answer", "nobody knows");

  test.each([
    ["returns", throwing],
    ["resolves", async () => throwing()],
  ])(
    "asks about what is in doubt, and spends it, gives it back or leaves it: a tool that %s",
    async (_, execute) => {
      const { call, guardrails } = payLoop({ max: 100 });
      for (const amount of [10, 20, 30]) {
        await call("pay", execute, { amount }, { id: `call-${amount}` });
      }
      const asked: unknown[] = [];
      const reconciled = await guardrails.reconcile((entry) => {
        asked.push(entry);
        const answers = { 10: "done", 20: "not-done", 30: "unknown" } as const;
        return answers[entry.amounts["budget"] as 10 | 20 | 30];
      });
      expect(reconciled).toEqual({ done: 1, notDone: 1, unknown: 1 });
      expect(await guardrails.usage("budget", place)).toEqual({
        max: 100,
        spent: 10,
        reserved: 0,
        inDoubt: 30,
        left: 60,
      });
      expect(asked[0]).toEqual({
        id: expect.any(String),
        tool: "pay",
        callId: "call-10",
        conversationId: "thread-7",
        idempotencyKey: expect.any(String),
        amounts: { budget: 10 },
        reservedAt: 0,
        endedAt: 0,
      });
    },
  );

  test("says when a tool that was given up has ended", async () => {
    const { call, guardrails } = payLoop({ max: 100 }, { timeLimits: { tool: 5 } });
    const late = gate<unknown>();
    await call("pay", async () => late.promise, { amount: 80 }).catch(() => undefined);
    const ends: unknown[] = [];
    const ask = async (): Promise<unknown> =>
      guardrails.reconcile(({ endedAt }) => {
        ends.push(endedAt);
        return "unknown";
      });
    await ask();
    late.fail(new Error("no answer"));
    await idle();
    await ask();
    expect(ends).toEqual([undefined, 0]);
  });

  test("does not ask about a call that is under way, and keeps what is in doubt if it is not told", async () => {
    const { call, guardrails } = payLoop({ max: 100 });
    const { promise, open } = gate();
    const running = call("pay", async () => promise, { amount: 80 });
    await Promise.resolve();
    expect(await guardrails.reconcile(() => "not-done")).toEqual({
      done: 0,
      notDone: 0,
      unknown: 0,
    });
    open();
    await running;
    expect(await guardrails.usage("budget", place)).toMatchObject({ spent: 80 });
    await call("pay", throwing, { amount: 20 });
    await expect(guardrails.reconcile(() => undefined as never)).rejects.toThrow('"not-done"');
    expect(await guardrails.usage("budget", place)).toMatchObject({ spent: 80, inDoubt: 20 });
  });
});

describe("windows", () => {
  const at = (time: string): number => Date.parse(time);

  test.each<[string, LimitOptions, readonly (readonly [time: string, end: string])[]]>([
    [
      "the last minute",
      { max: 1, per: "minute" },
      [
        ["2026-03-01T10:00:30Z", "paid"],
        ["2026-03-01T10:01:29.999Z", "refused"],
        ["2026-03-01T10:01:30Z", "paid"],
        ["2026-03-01T10:02:00Z", "refused"],
      ],
    ],
    [
      "the last hour",
      { max: 1, per: "hour" },
      [
        ["2026-03-01T10:30:00Z", "paid"],
        ["2026-03-01T11:00:00Z", "refused"],
        ["2026-03-01T11:30:00Z", "paid"],
      ],
    ],
    [
      "the calendar day",
      { max: 1, per: "day" },
      [
        ["2026-03-01T00:00:00Z", "paid"],
        ["2026-03-01T23:59:59.999Z", "refused"],
        ["2026-03-02T00:00:00Z", "paid"],
      ],
    ],
    [
      "the calendar day of a zone with half hours",
      { max: 1, per: "day", timeZone: "Asia/Kolkata" },
      [
        ["2026-03-01T18:29:59Z", "paid"],
        ["2026-03-01T18:30:00Z", "paid"],
        ["2026-03-02T18:29:59Z", "refused"],
        ["2026-03-02T18:30:00Z", "paid"],
      ],
    ],
    [
      "the day that has 23 hours",
      { max: 1, per: "day", timeZone: "Europe/Berlin" },
      [
        ["2026-03-28T23:00:00Z", "paid"],
        ["2026-03-29T21:59:59Z", "refused"],
        ["2026-03-29T22:00:00Z", "paid"],
      ],
    ],
    [
      "the day that has 25 hours",
      { max: 1, per: "day", timeZone: "Europe/Berlin" },
      [
        ["2026-10-24T22:00:00Z", "paid"],
        ["2026-10-25T22:59:59Z", "refused"],
        ["2026-10-25T23:00:00Z", "paid"],
      ],
    ],
    [
      "a day that begins at one",
      { max: 1, per: "day", timeZone: "America/Asuncion" },
      [
        ["2023-10-01T03:59:59Z", "paid"],
        ["2023-10-01T04:00:00Z", "paid"],
        ["2023-10-02T02:59:59Z", "refused"],
        ["2023-10-02T03:00:00Z", "paid"],
      ],
    ],
    [
      "for ever",
      { max: 1 },
      [
        ["2026-03-01T00:00:00Z", "paid"],
        ["2036-03-01T00:00:00Z", "refused"],
      ],
    ],
  ])("%s", async (_, limit, calls) => {
    let now = 0;
    const { call } = payLoop({ scope: "global", ...limit }, { clock: () => now });
    for (const [index, [time, end]] of calls.entries()) {
      now = at(time);
      const place = { conversationId: `chat-${index}` };
      const handled = await call("pay", paid, { amount: 1 }, place);
      expect([time, handled.status === "executed" ? "paid" : "refused"]).toEqual([time, end]);
    }
  });

  test("a day begins at midnight, also for a process that has begun later", async () => {
    const ledger = memoryLedger();
    let now = at("2026-03-01T00:00:00Z");
    const make = () => payLoop({ max: 1, per: "day" }, { ledger, clock: () => now });
    expect(endOf(await make().call("pay", paid, { amount: 1 }))).toBe("paid");
    now = at("2026-03-01T23:59:59.999Z");
    expect((await make().call("pay", paid, { amount: 1 })).status).toBe("rejected");
    now = at("2026-03-02T00:00:00Z");
    expect(endOf(await make().call("pay", paid, { amount: 1 }))).toBe("paid");
  });

  test("a call under way counts in every window until it has ended, and from then on for one", async () => {
    let now = 0;
    const { call } = payLoop({ max: 1, per: "minute" }, { clock: () => now });
    const { promise, open } = gate();
    const slow = call("pay", async () => promise, { amount: 1 });
    await Promise.resolve();
    now = 50_000;
    const refused = await call("pay", paid, { amount: 1 });
    expect(refused.status).toBe("rejected");
    open();
    await slow;
    now = 100_000;
    expect((await call("pay", paid, { amount: 1 })).status).toBe("rejected");
    now = 110_000;
    expect(endOf(await call("pay", paid, { amount: 1 }))).toBe("paid");
  });

  test("a run", async () => {
    const { call } = payLoop({ max: 1, per: "run" });
    const once = async (runId: string) =>
      (await call("pay", paid, { amount: 1 }, { runId })).status;
    expect([await once("r1"), await once("r1"), await once("r2")]).toEqual([
      "executed",
      "rejected",
      "executed",
    ]);
    const unknown = await call("pay", paid, { amount: 1 }, { knowsRun: false });
    expect(unknown.result.content).toContain("limit 'budget' cannot be checked for this call");
  });

  test.each([[Number.NaN], [Number.POSITIVE_INFINITY], ["now"], [undefined]])(
    "a clock that tells %s opens no window: the call is refused",
    async (time) => {
      const { call } = payLoop({ max: 1, per: "day" }, { clock: () => time as number });
      let ran = 0;
      await call("pay", () => (ran += 1), { amount: 1 }).catch(() => undefined);
      expect(ran).toBe(0);
    },
  );
});

describe("scopes", () => {
  const spend = async (
    loop: OwnLoop<unknown, "budget">,
    place: Parameters<OwnLoop<unknown>["call"]>[3],
  ) => (await loop.call("pay", paid, { amount: 60 }, place)).status;

  test("a conversation, by default", async () => {
    const loop = payLoop({ max: 100 });
    expect(await spend(loop, { conversationId: "a" })).toBe("executed");
    expect(await spend(loop, { conversationId: "b" })).toBe("executed");
    expect(await spend(loop, { conversationId: "a" })).toBe("rejected");
  });

  test("a conversation that the host does not name is its run", async () => {
    const loop = payLoop({ max: 100 });
    const unnamed = { conversationId: "ai-sdk", knowsConversation: false };
    expect(await spend(loop, { ...unnamed, runId: "a" })).toBe("executed");
    expect(await spend(loop, { ...unnamed, runId: "b" })).toBe("executed");
    expect(await spend(loop, { ...unnamed, runId: "a" })).toBe("rejected");
    expect(await spend(loop, { ...unnamed, knowsRun: false })).toBe("rejected");
  });

  test.each(["user", "tenant"] as const)("a %s, in any conversation", async (scope) => {
    const loop = payLoop({ max: 100, scope });
    const context = { user: "u-1", tenant: "t-1", [scope]: "same" };
    expect(await spend(loop, { conversationId: "a", context })).toBe("executed");
    const others = { user: "u-2", tenant: "t-2" };
    const same = { ...others, [scope]: "same" };
    expect(await spend(loop, { conversationId: "b", context: same })).toBe("rejected");
    expect(await spend(loop, { conversationId: "b", context: others })).toBe("executed");
  });

  test("everybody", async () => {
    const loop = payLoop({ max: 100, scope: "global" });
    expect(await spend(loop, { conversationId: "a" })).toBe("executed");
    expect(await spend(loop, { conversationId: "b", context: { user: "u" } })).toBe("rejected");
  });

  test("whatever a function of the context names", async () => {
    const loop = payLoop({ max: 100, scope: ({ tenant }) => tenant });
    expect(await spend(loop, { context: { tenant: "acme" } })).toBe("executed");
    expect(await spend(loop, { context: { tenant: "acme" }, conversationId: "b" })).toBe(
      "rejected",
    );
    expect(await spend(loop, { context: { tenant: "evil" }, conversationId: "c" })).toBe(
      "executed",
    );
  });

  test.each<[string, LimitOptions, Record<string, unknown>]>([
    ["no context", { max: 100, scope: "user" }, {}],
    ["no user", { max: 100, scope: "user" }, { context: { tenant: "acme" } }],
    ["an empty user", { max: 100, scope: "user" }, { context: { user: "" } }],
    ["a user that is an object", { max: 100, scope: "user" }, { context: { user: {} } }],
    ["no tenant", { max: 100, scope: "tenant" }, { context: { user: "u-1" } }],
    ["a function that names nothing", { max: 100, scope: () => undefined }, {}],
  ])(
    "a scope without a value refuses the call and tells the operator: %s",
    async (_, limit, place) => {
      const { call, lines } = payLoop(limit);
      let ran = 0;
      const { result } = await call("pay", () => (ran += 1), { amount: 1 }, place);
      expect(result.content).toContain("(GRD-004): limit 'budget' cannot be checked for this call");
      expect(ran).toBe(0);
      expect(lines).toContainEqual({
        message: "The scope of a limit has no value, so the call is refused",
        fields: expect.objectContaining({ limit: "budget", tool_name: "pay" }),
      });
      const user = { context: { user: "u-1" } };
      const again = await call(
        "pay",
        () => (ran += 1),
        { amount: 1 },
        { ...user, conversationId: "b" },
      );
      expect(again.status === "executed").toBe(limit.scope === "user");
    },
  );

  test("names of scopes and limits cannot be mixed up", async () => {
    const loop = ownLoop({
      guardrails: [],
      limits: { 'a","user': { max: 1, scope: "user" }, a: { max: 1, scope: "user" } },
      spends: { pay: ({ args }) => ({ [args.limit]: 1 }) },
    });
    const long = "x".repeat(5_000);
    for (const [limit, user] of [
      ["a", 'user","b'],
      ['a","user', "b"],
      ["a", "b"],
      ["a", `${long}1`],
      ["a", `${long}2`],
    ]) {
      const handled = await loop.call("pay", paid, { limit }, { context: { user: `${user}` } });
      expect(handled.status).toBe("executed");
    }
  });
});

describe("a ledger that fails", () => {
  const broken = async (): Promise<never> => Promise.reject(new Error("secret"));
  const place = { conversationId: "thread-7" };

  test.each<[string, () => unknown]>([
    ["rejects", broken],
    ["never answers", async () => new Promise(() => undefined)],
  ])("before the tool runs refuses the call: it %s", async (_, reserve) => {
    const ledger = { ...memoryLedger(), reserve: reserve as never };
    const { call, lines } = payLoop({ max: 100 }, { ledger, timeLimits: { store: 5 } });
    let ran = 0;
    const { result } = await call("pay", () => (ran += 1), { amount: 80 });
    expect(result.content).toContain("(GRD-004): Limits cannot be checked now");
    expect(result.content).toContain("try again later");
    expect(ran).toBe(0);
    expect(lines.map(({ message }) => message)).toContain("A ledger failed before the tool ran");
  });

  test("an acknowledgement that is lost after it has reserved costs nothing", async () => {
    const kept = memoryLedger();
    const ledger = {
      ...kept,
      reserve: async (entry: never) => {
        await kept.reserve(entry);
        return broken();
      },
    };
    const { call, guardrails } = payLoop({ max: 100 }, { ledger });
    await call("pay", paid, { amount: 80 });
    expect(await guardrails.usage("budget", place)).toMatchObject({ left: 100 });
  });

  test("after the tool has run keeps the amount, and reconcile asks about it", async () => {
    const kept = memoryLedger();
    let isDown = true;
    const ledger = {
      ...kept,
      end: async (...args: Parameters<typeof kept.end>) => (isDown ? broken() : kept.end(...args)),
    };
    const { call, guardrails, lines } = payLoop({ max: 100 }, { ledger });
    expect(endOf(await call("pay", paid, { amount: 80 }))).toBe("paid");
    expect(lines.map(({ message }) => message)).toContain(
      "A ledger could not be written, so an amount stays reserved",
    );
    isDown = false;
    expect(await guardrails.usage("budget", place)).toMatchObject({ inDoubt: 80, left: 20 });
    expect(await guardrails.reconcile(() => "done")).toEqual({ done: 1, notDone: 0, unknown: 0 });
    expect(await guardrails.usage("budget", place)).toMatchObject({ spent: 80 });
  });
});

describe("what was reserved by another process", () => {
  const entry = (facts: Record<string, string>) => ({
    id: "e1",
    claims: [{ limit: "budget", account: '["budget","ever","global"]', amount: 80, max: 100 }],
    state: "reserved" as const,
    reservedAt: 0,
    facts: { tool: "pay", callId: "call_1", ...facts },
  });
  /** Facts of this machine, from an entry of this process. */
  async function ownFacts(): Promise<Record<string, string>> {
    const ledger = memoryLedger();
    const { call } = payLoop({ max: 100 }, { ledger });
    await call("pay", async () => Promise.reject(new Error("no answer")), { amount: 1 });
    const [entryInDoubt] = await ledger.open();
    return { ...entryInDoubt?.facts };
  }

  test.each<[string, Record<string, string>, number, "reserved" | "inDoubt"]>([
    ["that has ended is in doubt", { pid: "999999999", process: "other" }, 1, "inDoubt"],
    ["with the id of this one is in doubt", { process: "other" }, 1, "inDoubt"],
    ["without an id is in doubt", { pid: "", process: "other" }, 1, "inDoubt"],
    ["with half an id is in doubt", { pid: `${process.ppid}.5`, process: "other" }, 1, "inDoubt"],
    ["that lives is under way", { pid: `${process.ppid}`, process: "other" }, 1, "reserved"],
    // As long as its tool and the ledger, before and after it, may take.
    ["elsewhere may be under way", { machine: "other", process: "other" }, 79_999, "reserved"],
    [
      "elsewhere is in doubt after its time",
      { machine: "other", process: "other" },
      80_000,
      "inDoubt",
    ],
  ])("%s", async (_, facts, now, state) => {
    const ledger = memoryLedger();
    await ledger.reserve(entry({ ...(await ownFacts()), ...facts }));
    const { guardrails } = payLoop({ max: 100, scope: "global" }, { ledger, clock: () => now });
    expect(await guardrails.usage("budget")).toMatchObject({ [state]: 80, left: 20 });
  });

  test("for no tool, such as a grant, is nothing that anybody is asked about", async () => {
    const ledger = memoryLedger();
    await ledger.reserve({ ...entry({}), facts: {} });
    const { guardrails } = payLoop({ max: 100, scope: "global" }, { ledger, clock: () => 1e6 });
    const found = await guardrails.reconcile(() => expect.unreachable());
    expect(found).toEqual({ done: 0, notDone: 0, unknown: 0 });
    expect(await ledger.open()).toMatchObject([{ state: "reserved" }]);
  });

  test("does not block a window for ever if that process has ended", async () => {
    const ledger = memoryLedger();
    const facts = { ...(await ownFacts()), process: "other" };
    const [claim] = entry({}).claims;
    const window = { account: '["budget","minute","global"]', after: -60_000 };
    await ledger.reserve({ ...entry(facts), claims: [{ ...claim, ...window } as never] });
    let now = 0;
    const loop = payLoop(
      { max: 100, scope: "global", per: "minute" },
      { ledger, clock: () => now },
    );
    expect((await loop.call("pay", paid, { amount: 80 })).status).toBe("rejected");
    now = 60_000;
    expect((await loop.call("pay", paid, { amount: 80 })).status).toBe("executed");
  });
});

describe("checks", () => {
  test("know the host's context and how much of a limit is used", async () => {
    const seen: unknown[] = [];
    const { call } = payLoop(
      { max: 100 },
      {
        guardrails: [
          {
            name: "half",
            check: async ({ args, context, usage }) => {
              const { left } = await usage("budget");
              seen.push([context, left]);
              return context["role"] !== "admin" && args.amount > left / 2 && "at most half of it";
            },
          },
        ],
      },
    );
    const admin = { context: { user: "u-1", role: "admin" } };
    expect(endOf(await call("pay", paid, { amount: 80 }, admin))).toBe("paid");
    expect(endOf(await call("pay", paid, { amount: 15 }))).toBe("rejected guardrail 1/3");
    // What is left may change until the call runs, so it is asked again.
    expect(seen).toEqual([
      [{ user: "u-1", role: "admin" }, 100],
      [{ user: "u-1", role: "admin" }, 100],
      [{}, 20],
    ]);
  });

  test("know it as a value, not as a promise, if the ledger answers at once", async () => {
    const { contract } = payLoop(
      { max: 100 },
      {
        guardrails: [
          {
            name: "left",
            check: ({ usage }) => (usage("budget") as { left: number }).left < 100 && "no",
          },
        ],
      },
    );
    const tool = { name: "pay", inputSchema: { type: "object" } } as const;
    const call = { id: "call_1", name: "pay", arguments: { amount: 1 } };
    const handled = await contract.handle(call, { tool, conversationId: "a", execute: paid });
    expect(handled.status).toBe("executed");
  });
});

test("usage of a limit that does not exist, or for nobody, is an error", async () => {
  const { guardrails } = payLoop({ max: 100, scope: "user" });
  await expect(guardrails.usage("budgte" as never)).rejects.toThrow("Did you mean 'budget'?");
  await expect(guardrails.usage("budget")).rejects.toThrow("the scope of 'budget' has no value");
  const none = createGuardrails({ guardrails: [] });
  await expect(none.usage("budget")).rejects.toThrow("there are no limits");
  await expect(none.reconcile(() => "done")).rejects.toThrow("there are no limits");
});

test("a tool that spends and runs elsewhere is refused, because nothing could be counted", async () => {
  const { guardrails } = payLoop({ max: 100 });
  const lines: string[] = [];
  const contract = createContract({ guardrails, logger: (_, message) => void lines.push(message) });
  const tool = { name: "pay", inputSchema: { type: "object" } } as const;
  const checked = await contract.checkAsync(tool, { amount: 1 }, { runsHere: false });
  expect(checked.status).toBe("invalid");
  expect(lines.join()).toContain("A tool that spends runs elsewhere");
});

test("guardrails.run spends for the conversation and the context that it is given", async () => {
  const { guardrails } = payLoop({ max: 100 });
  const run = async (amount: number, conversationId?: string) =>
    guardrails.run({
      tool: "pay",
      ...(conversationId !== undefined && { conversationId }),
      generate: () => ({ amount }),
      execute: paid,
    });
  expect(await run(80, "a")).toMatchObject({ status: "ok" });
  expect(await run(80, "a")).toMatchObject({
    error_type: "guardrail_retry_exhausted",
    metadata: { last_violation_type: "budget" },
  });
  expect(await run(80, "b")).toMatchObject({ status: "ok" });
  expect(await run(80)).toMatchObject({ error_type: "guardrail_retry_exhausted" });
});
