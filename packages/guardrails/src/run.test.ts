import { expect, test } from "vitest";
import {
  type AttemptEvent,
  type AttemptFailure,
  type Feedback,
  type GuardrailsOptions,
  GuardrailViolation,
  Outcome,
  createGuardrails,
  currentAttempt,
  slotStore,
} from "./index.ts";
import { loopOf, stagesOf } from "./testing/index.ts";

const SECRET = "sk-live-4f9a8b7c6d5e4f3a2b1c0d9e";

/** What the model generates in turn; an error is thrown. */
type Script = readonly unknown[];

interface Played {
  readonly end: unknown;
  readonly failures: readonly AttemptFailure[];
  readonly feedback: readonly (Feedback | undefined)[];
  readonly events: readonly AttemptEvent[];
  readonly ran: readonly unknown[];
}

/** Runs a script: each value is what `execute` gets, and a function among them is called by it. */
async function play(
  tool: string,
  script: Script,
  options: Partial<GuardrailsOptions<unknown>> = {},
  more: { readonly writesCode?: boolean } = {},
): Promise<Played> {
  const guardrails = createGuardrails({
    clock: () => 0,
    effects: { [tool]: "state" },
    guardrails: [
      {
        name: "tool_registry_violation",
        check: ({ args }) =>
          args === "mutate" && {
            message: "Defining singleton methods on Agent instances is not supported",
            fieldPath: "/code",
            hint: 'Use tool("name") or delegate("name", ...); do not mutate Agent objects.',
          },
      },
    ],
    ...options,
  });
  const { events } = loopOf(guardrails);
  const feedback: (Feedback | undefined)[] = [];
  const ran: unknown[] = [];
  const end = await guardrails
    .run<unknown, unknown>({
      tool,
      callId: "call_1",
      generate(said) {
        const next = script[feedback.length];
        feedback.push(said);
        if (next instanceof Error) throw next;
        return next;
      },
      execute(args) {
        ran.push(args);
        return typeof args === "function" ? (args() as unknown) : args;
      },
      ...more,
    })
    .catch((thrown: unknown) => ({ thrown }));
  const failures = "thrown" in end ? [] : end.attempt_failures;
  return { end, failures, feedback, events, ran };
}

const fetchFailed = (): unknown =>
  Outcome.error("fetch_failed", "the page could not be read", { retriable: true });

test.each(["add", "personal assistant.ask", "__proto__"])(
  "a spent guardrail budget ends in the plan's outcome, for %s",
  async (tool) => {
    const { end, feedback, ran } = await play(tool, ["mutate", "mutate", "mutate", "fine"]);
    expect(end).toEqual({
      status: "error",
      error_type: "guardrail_retry_exhausted",
      error_message: `Recoverable guardrail retries exhausted for ${tool}`,
      retriable: false,
      metadata: { guardrail_recovery_attempts: 2, last_violation_type: "tool_registry_violation" },
    });
    expect(feedback.map((one) => one?.remaining_budget)).toEqual([undefined, 2, 1]);
    expect(ran).toEqual([]);
  },
);

test.each(["add", "personal assistant.ask", "__proto__"])(
  "a spent outcome budget ends in the plan's outcome, for %s",
  async (tool) => {
    const { end, feedback } = await play(tool, [fetchFailed, fetchFailed, "fine"]);
    expect(end).toEqual({
      status: "error",
      error_type: "outcome_repair_retry_exhausted",
      error_message: `Retriable outcome-error repairs exhausted for ${tool}`,
      retriable: false,
      metadata: { outcome_repair_attempts: 1, last_error_type: "fetch_failed" },
    });
    expect(feedback.map((one) => one?.remaining_budget)).toEqual([undefined, 1]);
  },
);

test("a spent generation budget ends in an outcome of the same form", async () => {
  const bad = new SyntaxError(`unexpected token ${SECRET}`);
  const { end, feedback, events, ran } = await play("add", [bad, bad, bad, "fine"]);
  expect(end).toEqual({
    status: "error",
    error_type: "generation_retry_exhausted",
    error_message: "Generation retries exhausted for add",
    retriable: false,
    metadata: { generation_retry_attempts: 2, last_error_type: "SyntaxError" },
  });
  expect(feedback.map((one) => one?.remaining_budget)).toEqual([undefined, 2, 1]);
  expect(ran).toEqual([]);
  expect(stagesOf(events)).toEqual([
    "call_1#1 rolled_back (undone, retry)",
    "call_1#2 rolled_back (undone, retry)",
    "call_1#3 rolled_back (undone)",
  ]);
  expect(events.at(-1)).toMatchObject({
    validation_failure_type: null,
    latest_failure_stage: "validation",
    latest_failure_class: "SyntaxError",
    outcome: { error_type: "generation_retry_exhausted" },
  });
  expect(JSON.stringify([feedback, events])).not.toContain(SECRET);
});

test("feedback has exactly the fields of the ADR and the plan; the location only if it is known", async () => {
  const { feedback } = await play("add", [new Error("cut"), "mutate", fetchFailed, "fine"]);
  expect(feedback).toEqual([
    undefined,
    {
      violation_type: "Error",
      violation_message: "cut",
      required_correction: "Generate it again so that it can be read.",
      attempt_number: 1,
      remaining_budget: 2,
    },
    {
      violation_type: "tool_registry_violation",
      violation_message: "Defining singleton methods on Agent instances is not supported",
      violation_location: "/code",
      required_correction:
        'Use tool("name") or delegate("name", ...); do not mutate Agent objects.',
      attempt_number: 2,
      remaining_budget: 2,
      validation_result: "failed",
      guardrail_class: "recoverable_guardrail",
    },
    {
      violation_type: "fetch_failed",
      violation_message: "the page could not be read",
      required_correction: "Try another way: this one failed.",
      attempt_number: 3,
      remaining_budget: 1,
    },
  ]);
});

test("two failed generations, two violations and one failed outcome, then success: no budget takes from another", async () => {
  const bad = new Error("cut");
  const script = [bad, "mutate", bad, fetchFailed, "mutate", "fine"];
  const { end, failures, events } = await play("add", script);
  expect(end).toEqual({ status: "ok", value: "fine" });
  expect(JSON.stringify(end)).toBe('{"status":"ok","value":"fine"}');
  const stages = failures.map(({ stage, error_class }) => `${stage} ${error_class}`);
  expect(stages).toEqual([
    "validation Error",
    "validation tool_registry_violation",
    "validation Error",
    "outcome_policy fetch_failed",
    "validation tool_registry_violation",
  ]);
  expect(events.at(-1)).toMatchObject({
    committed: true,
    guardrail_recovery_attempts: 2,
    outcome_repair_attempts: 1,
  });
  expect(
    events
      .at(-1)
      ?.attempt_failures.map((one) => `${one.attempt_id} ${one.stage}:${one.error_class}`),
  ).toEqual([
    "call_1#1 validation:Error",
    "call_1#2 validation:tool_registry_violation",
    "call_1#3 validation:Error",
    "call_1#4 outcome_policy:fetch_failed",
    "call_1#5 validation:tool_registry_violation",
  ]);
});

test("a missing capability ends the run at once, without another generation", async () => {
  const { end, feedback, events } = await play("add", ["a", "b"], {
    guardrails: [
      {
        name: "browser",
        class: "terminal_guardrail",
        reason: "unsupported_capability",
        check: () => "this runtime has no browser",
      },
    ],
  });
  expect(end).toEqual({
    status: "error",
    error_type: "unsupported_capability",
    error_message: "A capability is not supported for add",
    retriable: false,
    metadata: { last_violation_type: "browser" },
  });
  expect(feedback).toHaveLength(1);
  expect(stagesOf(events)).toEqual(["call_1#1 generated", "call_1#1 rolled_back (undone)"]);
});

test.each<[string, () => unknown, object]>([
  [
    "extrinsic and retriable",
    () => Outcome.error("http_503", `down ${SECRET}`, { kind: "extrinsic", retriable: true }),
    { error_type: "http_503", retriable: true, metadata: {} },
  ],
  [
    "not retriable",
    () => Outcome.error("sold_out", "sold out", { metadata: { sku: "A1" } }),
    {
      error_type: "sold_out",
      error_message: "sold out",
      retriable: false,
      metadata: { sku: "A1" },
    },
  ],
  [
    "an MCP result about the world",
    () => ({ isError: true, status: 503, content: [{ type: "text", text: "down" }] }),
    { error_type: "http_503", retriable: false, metadata: {} },
  ],
])(
  "an outcome that is %s ends the run as it is, and no budget is touched",
  async (_, execute, expected) => {
    const { end, feedback, events } = await play("add", [execute, "fine"]);
    expect(end).toMatchObject({ status: "error", ...expected });
    expect(feedback).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({
      outcome_repair_triggered: false,
      latest_failure_stage: "outcome_policy",
      rollback_applied: true,
    });
    expect(JSON.stringify([end, events])).not.toContain(SECRET);
  },
);

test.each([
  [false, 1],
  [true, 2],
])(
  "a bug in the tool is repaired only if the model writes the code: %s",
  async (writesCode, generations) => {
    const bug = (): never => {
      throw new TypeError("agent.foo is not a function");
    };
    const { end, feedback } = await play("add", [bug, "fine"], {}, { writesCode });
    expect(feedback).toHaveLength(generations);
    expect(end).toEqual(
      writesCode ? { status: "ok", value: "fine" } : { thrown: expect.any(TypeError) },
    );
  },
);

test("what nobody can repair is thrown as the same object, after rollback", async () => {
  const store = slotStore({ items: [] as string[] });
  const outage = Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } });
  const fail = (): never => {
    currentAttempt<{ items: string[] }>().state.items.push("x");
    throw outage;
  };
  const { end, events } = await play("add", [fail, "fine"], { store });
  expect(end).toEqual({ thrown: outage });
  expect(store.state.items).toEqual([]);
  expect(events.at(-1)).toMatchObject({ latest_failure_class: "ECONNREFUSED" });
});

interface Registry {
  tools: Record<string, { readonly code: string; forged?: boolean }>;
}

test("tool forging: a mutated tool is refused and undone, the next generation registers one", async () => {
  const store = slotStore<Registry>({ tools: { search: { code: "…" } } });
  const registry = (): Registry["tools"] => currentAttempt<Registry>().state.tools;
  const mutate = (): string => {
    const { search } = registry();
    if (search) search.forged = true;
    registry()["movies"] = { code: "forged" };
    throw new GuardrailViolation("tool_registry_violation", {
      message: "Defining singleton methods on Agent instances is not supported",
      hint: "Use tool(name) or delegate(name)",
    });
  };
  const register = (): string => {
    registry()["movies"] = { code: "compliant" };
    return "Dune";
  };
  const { end, feedback, events } = await play("personal assistant.ask", [mutate, register], {
    store,
    guardrails: [],
  });
  expect(end).toEqual({ status: "ok", value: "Dune" });
  expect(store.state).toEqual({
    tools: { search: { code: "…" }, movies: { code: "compliant" } },
  });
  expect(feedback[1]).toMatchObject({ violation_type: "tool_registry_violation" });
  expect(stagesOf(events)).toEqual([
    "call_1#1 generated",
    "call_1#1 validated",
    "call_1#1 executed",
    "call_1#1 rolled_back (undone, retry)",
    "call_1#2 generated",
    "call_1#2 validated",
    "call_1#2 executed (committed)",
  ]);
});

test("a sequence of calls, each with its own outcome, goes on as before", async () => {
  const store = slotStore({ pages: [] as string[] });
  const guardrails = createGuardrails({ store, guardrails: [], effects: { ask: "state" } });
  for (const page of ["google", "yahoo", "nyt"]) {
    const execute = (args: string): number =>
      currentAttempt<{ pages: string[] }>().state.pages.push(args);
    await guardrails.run({ tool: "ask", generate: () => page, execute });
  }
  expect(store.state.pages).toEqual(["google", "yahoo", "nyt"]);
  expect(guardrails.health()["ask"]).toMatchObject({ calls: 3, sequences: 3, rollbacks: 0 });
});

test("attempts that fail leave no entry, also when the budget is spent", async () => {
  const store = slotStore<Registry>({ tools: {} });
  const fail = (): unknown => {
    currentAttempt<Registry>().state.tools["movies"] = { code: "forged" };
    return fetchFailed();
  };
  const { end } = await play("forge", [fail, fail], { store });
  expect(end).toMatchObject({ error_type: "outcome_repair_retry_exhausted" });
  expect(store.state).toEqual({ tools: {} });
});

test.each<[string, object, number]>([
  ["no retries", { guardrail: 0 }, 1],
  ["one retry", { guardrail: 1 }, 2],
  ["five retries", { guardrail: 5 }, 6],
])("budgets are set per lane: %s", async (_, budgets, generations) => {
  const { feedback } = await play(
    "add",
    Array.from({ length: 9 }, () => "mutate"),
    { budgets },
  );
  expect(feedback).toHaveLength(generations);
});

test("a run is cancelled between and in its attempts; its reason is thrown", async () => {
  const guardrails = createGuardrails({ guardrails: [], effects: { add: "state" } });
  const reason = new Error("the user left");
  const controller = new AbortController();
  const { signal } = controller;
  const generate = (): never => {
    controller.abort(reason);
    throw new Error("cut");
  };
  const execute = (): string => "ran";
  await expect(guardrails.run({ tool: "add", generate, execute, signal })).rejects.toBe(reason);
  await expect(guardrails.run({ tool: "add", generate: () => 1, execute, signal })).rejects.toBe(
    reason,
  );
});

const run = { tool: "add", generate: () => 1, execute: () => 2 };

test.each<[string, object | undefined, string]>([
  ["no options", undefined, "option 'tool' must be a name, such as \"add_item\""],
  ["no tool", { ...run, tool: undefined }, "option 'tool' must be a name, such as \"add_item\""],
  ["an empty tool", { ...run, tool: "" }, "option 'tool' must be a name, such as \"add_item\""],
  [
    "no generate",
    { ...run, generate: 5 },
    "option 'generate' must be a function (feedback) => arguments",
  ],
  [
    "no execute",
    { ...run, execute: {} },
    "option 'execute' must be a function (args, attempt) => value",
  ],
  ["an empty callId", { ...run, callId: "" }, "option 'callId' must be a non-empty string"],
  [
    "a callId that is a number",
    { ...run, callId: 5 },
    "option 'callId' must be a non-empty string",
  ],
  [
    "a controller",
    { ...run, signal: new AbortController() },
    "option 'signal' must be an AbortSignal, such as controller.signal",
  ],
  [
    "writesCode as a string",
    { ...run, writesCode: "yes" },
    "option 'writesCode' must be true or false",
  ],
])("guardrails.run with %s says what to pass", async (_, options, message) => {
  const guardrails = createGuardrails({ guardrails: [] });
  await expect(guardrails.run(options as never)).rejects.toThrow(`guardrails.run: ${message}.`);
});

test("another run with the same call id begins anew, also after one that threw", async () => {
  const guardrails = createGuardrails({ guardrails: [], effects: { add: "none" } });
  const { events } = loopOf(guardrails);
  const start = async (execute: () => string) =>
    guardrails.run({ tool: "add", callId: "call_1", generate: () => 0, execute });
  const down = Object.assign(new Error("down"), { code: "ECONNREFUSED" });
  const fails = (): never => {
    throw down;
  };
  await expect(start(fails)).rejects.toBe(down);
  expect(events.at(-1)?.attempt_failures).toHaveLength(1);
  await start(() => "added");
  expect(events.at(-1)?.attempt_failures).toEqual([]);
});
