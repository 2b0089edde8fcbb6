import { expect, test } from "vitest";
import {
  type Guardrail,
  type GuardrailsOptions,
  GuardrailViolation,
  createGuardrails,
  currentAttempt,
  slotStore,
} from "../index.ts";
import { endOf, idle, ownLoop } from "../testing/index.ts";

interface State {
  items: string[];
  limits: Map<string, number>;
  since: Date;
}

const SECRET = "sk-live-4f9a8b7c6d5e4f3a2b1c0d9e";

function open(
  guardrails: readonly Guardrail<State, never, never>[],
  more: Partial<GuardrailsOptions<State>> = {},
) {
  const store = slotStore<State>({ items: [], limits: new Map([["a", 1]]), since: new Date(0) });
  const loop = ownLoop<State>({ store, guardrails, effects: { add: "state" }, ...more });
  const add = (): string => {
    currentAttempt<State>().state.items.push("x");
    return "added";
  };
  return { ...loop, store, add };
}

test.each<[string, Guardrail["check"], string]>([
  ["nothing", (() => undefined) as never, "added"],
  ["null", () => null, "added"],
  ["false", () => false, "added"],
  ["false, later", async () => Promise.resolve(false as const), "added"],
  ["an empty list", () => [], "added"],
  ["a message", () => "no", "rejected guardrail 1/3"],
  ["a violation", () => ({ message: "no" }), "rejected guardrail 1/3"],
  ["a violation, later", async () => Promise.resolve({ message: "no" }), "rejected guardrail 1/3"],
  [
    "a terminal violation",
    () => ({ message: "no", class: "terminal_guardrail", reason: "missing_credentials" }),
    "blocked guardrail 1/3 missing_credentials",
  ],
])("without a class, %s is recoverable or nothing", async (_, check, expected) => {
  for (const stage of ["validate", "commit"] as const) {
    const { call, add, store } = open([{ name: "g", stage, check }]);
    expect(endOf(await call("add", add))).toBe(expected);
    expect(store.state.items).toEqual(expected === "added" ? ["x"] : []);
  }
});

function throwAny(thrown: unknown): never {
  throw thrown;
}

const revoked = Proxy.revocable({}, {});
revoked.revoke();

const NONSENSE: readonly (readonly [string, () => unknown])[] = [
  ["true", () => true],
  ["a number", () => 5],
  ["zero", () => 0],
  ["an empty string", () => ""],
  ["a blank message", () => ({ message: " " })],
  ["an object without a message", () => ({ ok: false })],
  ["a message that is not a string", () => ({ message: { toString: () => "no" } })],
  ["a list with nonsense", () => ["no", 5]],
  ["a function", () => () => "no"],
  ["a terminal violation without a reason", () => ({ message: "no", class: "terminal_guardrail" })],
  ["an unknown reason", () => ({ message: "no", class: "terminal_guardrail", reason: "because" })],
  ["a revoked proxy", () => revoked.proxy],
  [
    "a throw of it",
    () => {
      throw new Error(SECRET);
    },
  ],
  ["a throw of a string", () => throwAny(SECRET)],
  ["a throw of nothing", () => throwAny(undefined)],
  ["a throw of a revoked proxy", () => throwAny(revoked.proxy)],
  ["a rejection", async () => Promise.reject(new Error(SECRET))],
  [
    "a thenable that throws",
    () => ({
      get then() {
        throw new Error(SECRET);
      },
    }),
  ],
  [
    "a thenable that rejects",
    () => ({ then: (_: unknown, no: (r: unknown) => void) => no(SECRET) }),
  ],
];

test.each(NONSENSE)(
  "%s from a check refuses the call and closes the tool, and tells nothing",
  async (_, check) => {
    for (const stage of ["validate", "commit"] as const) {
      const { call, add, store, events, lines } = open([
        { name: "g", stage, check: check as never },
      ]);
      const answer = await call("add", add);
      expect(endOf(answer)).toBe("blocked guardrail 1/3 guardrail_failed");
      expect(answer.result.content).toContain("(GRD-004): A guardrail could not be checked");
      expect(store.state.items).toEqual([]);
      expect(lines.map(({ message }) => message)).toContain("A guardrail failed");
      expect(JSON.stringify([answer, events, lines])).not.toContain(SECRET);
    }
  },
);

test("a terminal guardrail refuses at once with its reason, before anything runs, and hides the others", async () => {
  const { call, add, events } = open([
    { name: "first", check: () => "also wrong" },
    {
      name: "shop_key",
      class: "terminal_guardrail",
      reason: "missing_credentials",
      check: () => "SHOP_KEY is not configured",
    },
  ]);
  const answer = await call("add", add);
  expect(answer).toMatchObject({
    status: "blocked",
    lane: "guardrail",
    attempt: 1,
    outcome: {
      status: "error",
      error_type: "missing_credentials",
      error_message: "Credentials are missing for add",
      retriable: false,
      metadata: { last_violation_type: "shop_key" },
    },
  });
  expect(answer.result.content).toContain("(GRD-003): SHOP_KEY is not configured");
  expect(answer.result.content).not.toContain("also wrong");
  expect(answer.result.content).toContain("Do not call 'add' again");
  expect(events.map(({ attempt_stage: stage }) => stage)).toEqual(["generated", "rolled_back"]);
  expect((await call("add", add)).status).toBe("blocked");
});

test.each(["args", "state"] as const)(
  "several violations are reported together, in the order of the guardrails and then of their places, for %s",
  async (needs) => {
    const slow = async (): Promise<string> => (await idle(), "slow");
    const { call, add } = open(
      [
        { name: "slow", needs, check: slow },
        { name: "passes", needs, check: () => null },
        {
          name: "two",
          needs,
          check: () => [
            { message: "one", fieldPath: "/a" },
            { message: "two", hint: "so" },
          ],
        },
        { name: "quick", needs, hint: "the guardrail's own hint", check: () => "quick" },
        { name: "elsewhere", needs, tools: ["other"], check: () => "not asked" },
      ],
      { effects: { add: "state", other: "state" } },
    );
    const answer = await call("add", add);
    expect(answer.result.content.split("\n").filter((line) => /•|Hint/.test(line))).toEqual([
      "• (arguments) (GRD-001): slow",
      "• (arguments) (GRD-001): two",
      "  Hint: so",
      "• (arguments) (GRD-001): quick",
      "  Hint: the guardrail's own hint",
      "• /a (GRD-001): one",
    ]);
  },
);

const MUTATIONS: readonly (readonly [string, (context: never) => unknown])[] = [
  ["pushes to the state", ({ state }: { state: State }) => state.items.push("y")],
  ["assigns a slot", ({ state }: { state: State }) => (state.items = [])],
  ["sets in a map of the state", ({ state }: { state: State }) => state.limits.set("a", 9)],
  ["sets a date of the state", ({ state }: { state: State }) => state.since.setTime(9)],
  ["deletes from the state", ({ state }: { state: Partial<State> }) => delete state.items],
  ["changes the arguments", ({ args }: { args: { sku: string } }) => (args.sku = "Z")],
  ["changes deep arguments", ({ args }: { args: { tags: string[] } }) => args.tags.push("Z")],
  [
    "changes the result",
    ({ result }: { result?: { left: number } }) => {
      if (result === undefined) throw new TypeError("there is none yet");
      result.left = 0;
    },
  ],
];

test.each(MUTATIONS)("a check that %s fails closed, and changes nothing", async (_, check) => {
  for (const stage of ["validate", "commit"] as const) {
    const { call, store } = open([{ name: "g", stage, check: check as never }]);
    let ran: unknown;
    const add = (args: never): unknown => {
      ran = structuredClone(args);
      currentAttempt<State>().state.items.push("x");
      return { left: 5 };
    };
    const args = { sku: "A1", tags: ["new"] };
    const answer = await call("add", add, args);
    expect(endOf(answer)).toBe("blocked guardrail 1/3 guardrail_failed");
    expect(ran).toEqual(stage === "commit" ? { sku: "A1", tags: ["new"] } : undefined);
    expect(store.state).toEqual({ items: [], limits: new Map([["a", 1]]), since: new Date(0) });
  }
});

test("a check sees classes in the arguments and the result as they are", async () => {
  class Money {
    readonly cents = 5;
    doubled(): number {
      return this.cents * 2;
    }
  }
  const seen: unknown[] = [];
  const store = slotStore({ items: [] });
  const guardrails = createGuardrails({
    store,
    effects: { pay: "state" },
    guardrails: [
      {
        name: "g",
        stage: "commit",
        check: ({ args, result }) =>
          seen.push(args.price.doubled(), result.left.doubled()) < 0 && "never",
      },
    ],
  });
  const pay = (): unknown => ({ left: new Money() });
  await guardrails.run({ tool: "pay", generate: () => ({ price: new Money() }), execute: pay });
  expect(seen).toEqual([10, 10]);
});

test("what a check knows before and after the tool ran", async () => {
  const seen: unknown[] = [];
  const note = (context: Readonly<Record<string, unknown>>): void => {
    const { signal, state, ...facts } = context;
    const { items } = state as State;
    seen.push({ ...facts, items: [...items], isSignal: signal instanceof AbortSignal });
  };
  const { call, add } = open([
    { name: "before", check: note as never },
    { name: "after", stage: "commit", check: note as never },
  ]);
  await call("add", add, { sku: "A1" }, { id: "call_7" });
  const known = {
    tool: "add",
    args: { sku: "A1" },
    attempt: 1,
    callId: "call_7",
    conversationId: "thread-7",
    isSignal: true,
    context: {},
    usage: expect.any(Function),
    ran: expect.any(Function),
  };
  expect(seen).toEqual([
    { ...known, result: undefined, items: [] },
    { ...known, result: "added", items: ["x"] },
  ]);
});

test("a guardrail that needs only arguments is asked once, one that reads the state again before the tool runs", async () => {
  const asked: string[] = [];
  const { call, add } = open([
    { name: "args", check: () => asked.push("args") < 0 && "never" },
    {
      name: "reads",
      check: ({ state }) => asked.push(`reads ${state.items.length}`) < 0 && "never",
    },
    { name: "declared", needs: "state", check: () => asked.push("declared") < 0 && "never" },
    {
      name: "declared_args",
      needs: "args",
      check: () => asked.push("declared args") < 0 && "never",
    },
  ]);
  await call("add", add);
  await call("add", add);
  const once = ["args", "declared args"];
  expect(asked).toEqual([...once, "reads 0", "declared", ...once, "reads 1", "declared"]);
});

test("what a tool throws as a violation counts in the guardrail lane, under its type", async () => {
  const { call, events } = open([]);
  const thrown = new GuardrailViolation("tool_registry_violation", {
    message: "Defining singleton methods on Agent instances is not supported",
    hint: "register a new tool",
  });
  const answer = await call("add", () => {
    currentAttempt<State>().state.items.push("x");
    throw thrown;
  });
  expect(endOf(answer)).toBe("rejected guardrail 1/3");
  expect(answer.result.content).toContain("All its state changes were undone.");
  expect(events.at(-1)).toMatchObject({
    validation_failure_type: "tool_registry_violation",
    latest_failure_stage: "validation",
    rollback_applied: true,
  });
});

test("secrets in a violation are masked in the message, the outcome and telemetry", async () => {
  const check = (): object => ({
    message: `token ${SECRET} is not allowed`,
    hint: `not ${SECRET}`,
    fieldPath: "/token",
  });
  const { call, add, events, lines } = open([
    { name: "g", stage: "commit", check: check as never },
  ]);
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const answer = await call("add", add, { token: SECRET });
    expect(JSON.stringify(answer.result)).not.toContain(SECRET);
  }
  expect(JSON.stringify([events, lines])).not.toContain(SECRET);
  expect(events.at(-1)?.latest_failure_message).toContain("[redacted]");
});

test.each<[string, () => unknown, string]>([
  ["throws", () => JSON.parse("{"), "JSON"],
  ["rejects", async () => Promise.reject(new RangeError("too far")), "too far"],
  ["answers 0", () => 0, "check() must answer nothing, a message"],
])(
  "the operator learns why a guardrail failed that %s, and the model does not",
  async (_, check, why) => {
    const seen: [string, unknown][] = [];
    const { call } = ownLoop({
      guardrails: [{ name: "odd", check: check as never }],
      onGuardrailError: (error, context) => void seen.push([String(error), context]),
    });
    const { result } = await call("add", () => "added", {}, { id: "call_7" });
    expect(seen).toEqual([
      [expect.stringContaining(why), { guardrail: "odd", tool: "add", callId: "call_7" }],
    ]);
    expect(result.content).not.toContain(why);
  },
);

test("an onGuardrailError that throws changes nothing", async () => {
  const fail = (): never => {
    throw new Error("no");
  };
  const { call, lines } = ownLoop({
    guardrails: [{ name: "odd", check: fail }],
    onGuardrailError: fail,
  });
  expect(endOf(await call("add", () => "added"))).toBe("blocked guardrail 1/3 guardrail_failed");
  expect(lines).toEqual(
    expect.arrayContaining([
      {
        message: "A guardrail failed",
        fields: expect.objectContaining({ guardrail: "odd", error: "Error" }),
      },
      {
        message: "onGuardrailError() failed",
        fields: expect.objectContaining({ error: "Error" }),
      },
    ]),
  );
});
