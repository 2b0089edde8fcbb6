import { expect, test } from "vitest";
import {
  type AttemptEvent,
  type GuardrailsOptions,
  Outcome,
  createGuardrails,
  currentAttempt,
  slotStore,
} from "../index.ts";
import { endOf, loopOf, ownLoop, stagesOf } from "../testing/index.ts";

interface State {
  count: number;
}

const FIELDS = [
  "attempt_id",
  "attempt_stage",
  "validation_failure_type",
  "rollback_applied",
  "retry_feedback_injected",
  "guardrail_recovery_attempts",
  "guardrail_retry_exhausted",
  "outcome_repair_attempts",
  "outcome_repair_triggered",
  "outcome_repair_retry_exhausted",
  "latest_failure_stage",
  "latest_failure_class",
  "latest_failure_message",
  "attempt_failures",
] as const;

type Act = "ok" | "args" | "state" | "commit" | "outcome" | "throws";

/** A tool that does what its argument says. */
function open(options: Partial<GuardrailsOptions<State>> = {}) {
  const store = slotStore<State>({ count: 0 });
  const guardrails = createGuardrails<State>({
    clock: () => 0,
    store,
    effects: { act: "state" },
    guardrails: [
      { name: "by_args", needs: "args", check: ({ args }) => args.act === "args" && "not these" },
      { name: "by_state", needs: "state", check: ({ args }) => args.act === "state" && "not now" },
      {
        name: "by_result",
        stage: "commit",
        check: ({ args }) => args.act === "commit" && "not that",
      },
    ],
    ...options,
  });
  return { store, ...openLoop(guardrails) };
}

function openLoop(guardrails: ReturnType<typeof createGuardrails<State>>) {
  const loop = loopOf(guardrails, ["act"]);
  const execute = ({ act }: { readonly act: Act }): unknown => {
    const { state } = currentAttempt<State>();
    state.count += 1;
    if (act === "outcome") return Outcome.error("sold_out", "sold out", { retriable: true });
    if (act === "throws") throw Object.assign(new Error("gone"), { status: 404 });
    return "done";
  };
  const act = async (what: Act) => loop.call("act", execute, { act: what });
  const together = async (...all: readonly Act[]) =>
    loop.turn(all.map((one) => ["act", execute, { act: one }] as const));
  return { ...loop, act, together };
}

test("the fourteen fields of the plan are in every event, in its order", async () => {
  const { act, events } = open();
  for (const what of ["args", "commit", "outcome", "ok"] as const) await act(what);
  for (const event of events) expect(Object.keys(event).slice(0, FIELDS.length)).toEqual(FIELDS);
  const { isolation_ms: _, ...last } = events.at(-1) ?? ({} as AttemptEvent);
  const failure = { timestamp: "1970-01-01T00:00:00.000Z" };
  expect(last).toEqual({
    attempt_id: "call_4#4",
    attempt_stage: "executed",
    validation_failure_type: null,
    rollback_applied: false,
    retry_feedback_injected: false,
    guardrail_recovery_attempts: 2,
    guardrail_retry_exhausted: false,
    outcome_repair_attempts: 1,
    outcome_repair_triggered: false,
    outcome_repair_retry_exhausted: false,
    latest_failure_stage: "outcome_policy",
    latest_failure_class: "sold_out",
    latest_failure_message: "sold out",
    attempt_failures: [
      {
        attempt_id: "call_1#1",
        stage: "validation",
        error_class: "by_args",
        error_message: "not these",
        call_id: "call_1",
        ...failure,
      },
      {
        attempt_id: "call_2#2",
        stage: "validation",
        error_class: "by_result",
        error_message: "not that",
        call_id: "call_2",
        ...failure,
      },
      {
        attempt_id: "call_3#3",
        stage: "outcome_policy",
        error_class: "sold_out",
        error_message: "sold out",
        call_id: "call_3",
        ...failure,
      },
    ],
    validation_result: "pass",
    guardrail_class: null,
    tool: "act",
    call_id: "call_4",
    committed: true,
  });
});

test.each<[Act, readonly string[], Partial<AttemptEvent>]>([
  ["args", ["generated", "rolled_back (undone, retry)"], { validation_failure_type: "by_args" }],
  ["state", ["generated", "rolled_back (undone, retry)"], { validation_failure_type: "by_state" }],
  [
    "commit",
    ["generated", "validated", "executed", "rolled_back (undone, retry)"],
    { validation_failure_type: "by_result", latest_failure_stage: "validation" },
  ],
  [
    "outcome",
    ["generated", "validated", "executed", "rolled_back (undone, retry)"],
    {
      validation_failure_type: null,
      latest_failure_stage: "outcome_policy",
      outcome_repair_triggered: true,
    },
  ],
  [
    "throws",
    ["generated", "validated", "executed", "rolled_back (undone, retry)"],
    {
      validation_failure_type: null,
      latest_failure_stage: "execution",
      latest_failure_class: "http_404",
      outcome_repair_triggered: true,
    },
  ],
  [
    "ok",
    ["generated", "validated", "executed (committed)"],
    { validation_failure_type: null, latest_failure_stage: null },
  ],
])("the stages of an attempt that ends in %s", async (what, stages, last) => {
  const { act, events } = open();
  await act(what);
  expect(stagesOf(events)).toEqual(stages.map((stage) => `call_1#1 ${stage}`));
  expect(events.at(-1)).toMatchObject(last);
});

test("a spent budget is marked on the attempt that spent it", async () => {
  const { act, events } = open();
  for (const what of ["args", "commit", "state"] as const) await act(what);
  expect(events.at(-1)).toMatchObject({
    attempt_id: "call_3#3",
    retry_feedback_injected: false,
    guardrail_retry_exhausted: true,
    guardrail_recovery_attempts: 2,
    outcome: { error_type: "guardrail_retry_exhausted" },
  });
  expect(events.slice(0, -1).some((event) => event.guardrail_retry_exhausted)).toBe(false);
});

test("the list of failures only grows, and the latest ones are its last", async () => {
  const { act, events } = open({ budgets: { guardrail: 5, outcome: 5 } });
  for (const what of ["args", "outcome", "state", "throws", "commit", "ok"] as const)
    await act(what);
  let before: AttemptEvent["attempt_failures"] = [];
  for (const event of events) {
    const { attempt_failures: failures } = event;
    expect(failures.slice(0, before.length)).toEqual(before);
    const latest = failures.at(-1);
    expect([
      event.latest_failure_stage,
      event.latest_failure_class,
      event.latest_failure_message,
    ]).toEqual([latest?.stage ?? null, latest?.error_class ?? null, latest?.error_message ?? null]);
    before = failures;
  }
  expect(before.map((one) => one.attempt_id)).toEqual([
    "call_1#1",
    "call_2#2",
    "call_3#3",
    "call_4#4",
    "call_5#5",
  ]);
});

test("with a fixed clock and fixed ids the events are the same, byte for byte", async () => {
  const script = ["args", "commit", "outcome", "ok", "throws", "ok"] as const;
  const record = async (): Promise<string> => {
    const { act, events } = open();
    for (const what of script) await act(what);
    return JSON.stringify(events, (key, value: unknown) =>
      key === "isolation_ms" ? undefined : value,
    );
  };
  expect(await record()).toBe(await record());
});

test("a message is cut at 300 characters and has no secret in it", async () => {
  const { act, events } = open({
    guardrails: [{ name: "long", check: () => `password=hunter2hunter2 ${"x".repeat(900)}` }],
  });
  await act("ok");
  const message = events.at(-1)?.latest_failure_message ?? "";
  expect(message).toHaveLength(300);
  expect(message).toContain("xxx");
  expect(message).not.toContain("hunter2");
});

/** What the events alone say about the attempts. */
function rebuilt(events: readonly AttemptEvent[]) {
  const attempts = new Map<string, { stages: string[]; end: string }>();
  for (const event of events) {
    const attempt = attempts.get(event.attempt_id) ?? { stages: [], end: "open" };
    attempt.stages.push(event.attempt_stage);
    if (event.committed) attempt.end = "committed";
    if (event.attempt_stage === "rolled_back") {
      const how = event.retry_feedback_injected ? "asked again" : "closed";
      attempt.end = `${event.latest_failure_class}: ${event.outcome?.error_type ?? how}`;
    }
    attempts.set(event.attempt_id, attempt);
  }
  return attempts;
}

test("the lifecycle rebuilt from the events alone is that of the run", async () => {
  const { act, together, events, store } = open();
  const ends = [...(await together("ok", "commit")), await act("outcome"), await act("throws")].map(
    endOf,
  );
  expect(ends).toEqual([
    "done",
    "rejected guardrail 1/3",
    "rejected outcome 1/2",
    "blocked outcome 2/2 outcome_repair_retry_exhausted",
  ]);
  const attempts = rebuilt(events);
  expect([...attempts.values()].map(({ end }) => end)).toEqual([
    "committed",
    "by_result: asked again",
    "sold_out: asked again",
    "http_404: outcome_repair_retry_exhausted",
  ]);
  const committed = [...attempts.values()].filter(({ end }) => end === "committed");
  expect(store.state.count).toBe(committed.length);
  for (const { stages } of attempts.values()) {
    const order = ["generated", "validated", "executed", "rolled_back"];
    expect(stages).toEqual(order.filter((stage) => stages.includes(stage)));
  }
});

test("no diagnosis appears in what the model reads", async () => {
  const { act } = open({
    guardrails: [{ name: "internal_policy_name", stage: "commit", check: () => "not that" }],
  });
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    const { result } = await act("ok");
    expect(result.content).not.toMatch(/internal_policy_name|attempt_failures|call_\d#|1970/);
  }
});

test("counts go on in another process, as the host counted them", async () => {
  const first = open();
  const second = open();
  const tool = { name: "act", inputSchema: { type: "object" } } as const;
  const around = async ({ guardrails }: ReturnType<typeof open>, id: string, guardrail: number) => {
    const seen: AttemptEvent[] = [];
    const reports = {
      emit: (name: string, payload: () => unknown) => {
        if (name === "attempt") seen.push(payload() as AttemptEvent);
      },
      log: () => undefined,
      sanitize: (text: string) => text,
    };
    const call = { id, name: "act", arguments: {} };
    const args = { act: "commit" };
    const place = { call, conversationId: "c", turnId: id, attempts: { guardrail, outcome: 1 } };
    const staged = { tool: tool.name, reports, args, runsOnce: false, run: () => "done", ...place };
    await guardrails.around?.(staged);
    return seen.at(-1);
  };
  expect(await around(first, "call_1", 1)).toMatchObject({ attempt_id: "call_1#1" });
  expect(await around(second, "call_2", 2)).toMatchObject({
    attempt_id: "call_2#2",
    guardrail_recovery_attempts: 2,
    guardrail_retry_exhausted: false,
  });
  expect(await around(open(), "call_3", 3)).toMatchObject({
    attempt_id: "call_3#3",
    guardrail_recovery_attempts: 2,
    guardrail_retry_exhausted: true,
  });
});

test("a violation before the tool runs is numbered after the outcomes that failed", async () => {
  const { act, events } = open();
  await act("outcome");
  await act("args");
  expect(events.at(-1)?.attempt_id).toBe("call_2#2");
});

test("failures that are never repaired do not add up without end", async () => {
  const { call, events } = ownLoop({ guardrails: [], effects: { act: "none" } });
  const fail = (): unknown => Outcome.error("down", "down", { kind: "extrinsic" });
  for (let index = 0; index < 130; index += 1) await call("act", fail);
  expect(events.at(-1)?.attempt_failures).toHaveLength(100);
  expect(events.at(-1)?.latest_failure_class).toBe("down");
});

test("a listener can neither change what is recorded nor end a call", async () => {
  const { act, contract, events } = open();
  contract.on("attempt", ({ attempt_failures: failures }) => {
    (failures as unknown[]).length = 0;
  });
  contract.on("attempt", ({ attempt_failures: [failure] }) => {
    if (failure) (failure as { error_message: string }).error_message = "changed";
    throw new Error("the listener broke");
  });
  for (const what of ["args", "outcome", "ok"] as const) await act(what);
  const last = events.at(-1);
  expect(last?.committed).toBe(true);
  expect(last?.attempt_failures.map((one) => one.error_message)).toEqual(["not these", "sold out"]);
});
