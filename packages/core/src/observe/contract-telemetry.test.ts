import fc from "fast-check";
import { type Recording, renderTrace, startRecording } from "@toolcontract/telemetry";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  ATTRIBUTES,
  DEGRADED_ATTRIBUTES,
  LOG_RECORDS,
  METRICS,
  SPAN_ATTRIBUTES,
  prometheusLabel,
} from "./names.ts";
import { type AttemptStore, createMemoryStore } from "../attempts/index.ts";
import { type ContractOptions, createContract } from "../contract/index.ts";
import type { TelemetryOptions } from "./telemetry-api.ts";
import { ADD_ITEM, callOf, refusal, staged } from "../testing/staged.ts";

const SECRET = "sk-live-4242424242424242";
const GOOD = { qty: 1 };
const BAD = { qty: SECRET, [`x_${SECRET}`]: 1 };
const PLACE = { conversationId: "thread-7", tool: ADD_ITEM };
const INTERNAL = 0;
const ERROR = 2;
const WARN = 13;

let recording: Recording;

beforeEach(() => {
  recording = startRecording();
});
afterEach(() => recording.stop());

/** A contract that reports to the SDK, and what it logged of faults. */
function watched(options: ContractOptions = {}, telemetry: TelemetryOptions = recording.api) {
  const faults: unknown[] = [];
  const contract = createContract({
    telemetry,
    logger: (fields) => "stage" in fields && faults.push(fields.stage),
    ...options,
  });
  let turn = 0;
  const send = async (args: unknown, context: object = {}) => {
    turn += 1;
    const call = callOf(args, `call_${turn}`);
    const execute = (): string => "added";
    return contract.handle(call, { ...PLACE, turnId: `${turn}`, execute, ...context });
  };
  return { contract, send, faults };
}

/** The data points of a metric, as `[attributes, value]`; of a histogram, the value is its count and sum. */
async function pointsOf(name: string): Promise<readonly unknown[]> {
  const metrics = await recording.metrics();
  const points = metrics.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? [];
  return points.map(({ attributes, value }) => [
    attributes,
    typeof value === "number" ? value : { count: value.count, sum: (value as { sum: number }).sum },
  ]);
}

describe("spans", () => {
  test("a call that did not run is a failed span below the active one, a valid call none", async () => {
    const { send } = watched({ maxAttempts: 2 });
    await recording.inSpan("POST /chat", async () => {
      await send(BAD);
      await send(BAD);
      await send(BAD);
      await send(GOOD);
    });
    const shown = ["toolcontract.outcome", "toolcontract.attempt", "toolcontract.escalated"];
    const span = "  execute_tool add_item ERROR VAL-002";
    expect(renderTrace(recording.spans, shown).split("\n")).toEqual([
      "POST /chat",
      `${span} toolcontract.outcome="rejected" toolcontract.attempt=1`,
      `${span} toolcontract.outcome="blocked" toolcontract.attempt=2 toolcontract.escalated=true`,
      `${span} toolcontract.outcome="blocked" toolcontract.attempt=2`,
    ]);
  });

  test("has the attributes of the GenAI conventions and its own, and none of the arguments", async () => {
    const { send } = watched({ unknownFields: "reject" });
    await send(BAD);
    const [span] = recording.spans;
    expect(span).toMatchObject({
      name: "execute_tool add_item",
      kind: INTERNAL,
      status: { code: ERROR },
      ended: true,
      instrumentationScope: { name: "toolcontract" },
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "add_item",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": "call_1",
        "error.type": "VAL-002",
        "toolcontract.outcome": "rejected",
        "toolcontract.attempt": 1,
        "toolcontract.max_attempts": 3,
        "toolcontract.error.codes": ["VAL-002", "VAL-005"],
        "toolcontract.error.paths": ["/qty", "/*"],
      },
    });
    expect(span?.attributes).not.toHaveProperty("gen_ai.conversation.id");
    expect(span?.status.message).toBeUndefined();
    expect(JSON.stringify(recording.logs.map(({ attributes }) => attributes))).not.toContain(
      "live",
    );
    expect(JSON.stringify(span?.attributes)).not.toContain("live");
  });

  test("begins with the decision: what a formatter waits for is part of it", async () => {
    vi.useFakeTimers({ toFake: ["performance", "Date", "setTimeout"] });
    try {
      const formatter = async (): Promise<undefined> => {
        await vi.advanceTimersByTimeAsync(250);
        return undefined;
      };
      const { send } = watched({ formatters: { add_item: formatter } });
      await send(BAD);
    } finally {
      vi.useRealTimers();
    }
    expect(recording.spans[0]?.duration).toEqual([0, 250_000_000]);
  });

  test("has the conversation's id where the host asks for it", async () => {
    const { send } = watched({}, { ...recording.api, conversationId: true });
    await send(BAD);
    for (const { attributes } of [...recording.spans, ...recording.logs]) {
      expect(attributes["gen_ai.conversation.id"]).toBe("thread-7");
    }
  });

  const guardrail = {
    check: (args: unknown) => ((args as { qty: number }).qty > 9 ? refusal() : undefined),
    around: async () => refusal({ lane: "outcome" }),
  };

  test.each([
    ["before the call is admitted", { qty: 10 }, "guardrail", "VAL-016"],
    ["after it ran", { qty: 1 }, "outcome", "VAL-016"],
  ])("a guardrail that refuses %s is in its lane", async (_, args, lane, code) => {
    const { add } = staged(guardrail, { telemetry: recording.api });
    await add(args);
    expect(recording.spans.map(({ attributes }) => attributes)).toMatchObject([
      { "toolcontract.lane": lane, "toolcontract.outcome": "rejected", "error.type": code },
    ]);
  });

  test("a span that the host made of the call is marked, not doubled", async () => {
    const { send } = watched();
    const tracer = recording.api.trace.getTracer("host");
    const attributes = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.call.id": "call_1",
    };
    await tracer.startActiveSpan("execute_tool add_item", { attributes }, async (span) => {
      await send(BAD);
      span.end();
    });
    expect(renderTrace(recording.spans)).toBe("execute_tool add_item ERROR VAL-002");
  });

  test.each([
    ["active", "POST /chat ERROR VAL-002"],
    ["off", "POST /chat"],
    ["span", "POST /chat\n  execute_tool add_item ERROR VAL-002"],
    [undefined, "POST /chat\n  execute_tool add_item ERROR VAL-002"],
  ] as const)("refusals: %o", async (refusals, tree) => {
    const { send } = watched({}, { ...recording.api, ...(refusals && { refusals }) });
    await recording.inSpan("POST /chat", async () => send(BAD));
    expect(renderTrace(recording.spans)).toBe(tree);
    expect(recording.logs).toHaveLength(1);
  });

  test("with refusals: active, a call outside of any span changes nothing", async () => {
    const { send, faults } = watched({}, { ...recording.api, refusals: "active" });
    await send(BAD);
    expect([recording.spans, faults]).toEqual([[], []]);
  });

  test("an undeclared tool's name is not shown, and long ids are cut", async () => {
    const { contract } = watched();
    const call = { id: "x".repeat(5_000), name: SECRET, arguments: "{}" };
    await contract.admit(call, { conversationId: "t", tools: [ADD_ITEM] });
    const [span] = recording.spans;
    expect(span?.name).toBe("execute_tool (unknown)");
    expect(span?.attributes["gen_ai.tool.call.id"]).toHaveLength(200);
    expect(JSON.stringify([span?.name, span?.attributes])).not.toContain("live");
  });

  test("a call that the host rejects has a span too", async () => {
    const { contract } = watched();
    const error = { errorCode: "VAL-001", fieldPath: "/qty", message: "no", severity: "error" };
    await contract.reject(callOf({}, "call_1"), [error as never], { tool: ADD_ITEM, attempt: 2 });
    expect(renderTrace(recording.spans, ["toolcontract.attempt"])).toBe(
      "execute_tool add_item ERROR VAL-001 toolcontract.attempt=2",
    );
  });
});

describe("log records", () => {
  test("are warnings in the context of the call's span", async () => {
    const { send } = watched({ maxAttempts: 2 });
    await send(BAD);
    await send(BAD);
    const [first] = recording.logs;
    expect(recording.logs.map(({ eventName }) => eventName)).toEqual([
      "toolcontract.call.rejected",
      "toolcontract.call.blocked",
    ]);
    expect(first).toMatchObject({ severityNumber: WARN, severityText: "WARN" });
    expect(first?.attributes).toEqual(recording.spans[0]?.attributes);
    expect(first?.spanContext?.spanId).toBe(recording.spans[0]?.spanContext().spanId);
    expect(recording.spans.flatMap(({ events }) => events)).toEqual([]);
  });

  test("a fault is logged once and counted each time", async () => {
    const broken = { name: "book", inputSchema: { type: "strng" } } as const;
    const { contract, send } = watched({
      formatters: {
        add_item: () => {
          throw new RangeError(SECRET);
        },
      },
    });
    contract.check(broken, {});
    await send(BAD);
    await send(BAD);
    expect(
      recording.logs.filter(({ eventName }) => eventName === "toolcontract.degraded"),
    ).toMatchObject([
      {
        severityNumber: WARN,
        attributes: {
          "toolcontract.stage": "schema: schema-not-compiled",
          "error.type": "Error",
          "gen_ai.tool.name": "book",
        },
      },
      { attributes: { "toolcontract.stage": "formatter", "error.type": "RangeError" } },
    ]);
    expect(await pointsOf("toolcontract.degraded")).toEqual([
      [{ "toolcontract.stage": "schema: schema-not-compiled" }, 1],
      [{ "toolcontract.stage": "formatter" }, 2],
    ]);
  });
});

describe("metrics", () => {
  const tool = { "gen_ai.tool.name": "add_item" };

  test("count calls, errors, escalations and repairs by tool", async () => {
    const { contract, send } = watched({ maxAttempts: 2 });
    await send(GOOD);
    await send(BAD);
    await send(BAD);
    await send(BAD);
    const text = '{"qty": 1,}';
    await contract.admit({ id: "r", name: "add_item", arguments: text }, { ...PLACE, turnId: "r" });
    expect(await pointsOf("toolcontract.calls")).toEqual([
      [{ ...tool, "toolcontract.outcome": "admitted" }, 2],
      [{ ...tool, "toolcontract.outcome": "rejected" }, 1],
      [{ ...tool, "toolcontract.outcome": "blocked" }, 2],
    ]);
    expect(await pointsOf("toolcontract.errors")).toEqual([
      [{ ...tool, "toolcontract.error.code": "VAL-002" }, 3],
    ]);
    expect(await pointsOf("toolcontract.escalations")).toEqual([[tool, 1]]);
    expect(await pointsOf("toolcontract.repairs")).toEqual([[tool, 1]]);
  });

  test.each([
    ["recovers at the second attempt", [BAD, GOOD, GOOD], [["recovered", 1, 2]]],
    ["is blocked at the third", [BAD, BAD, BAD, BAD], [["blocked", 1, 3]]],
    ["is valid at once", [GOOD, GOOD], []],
    [
      "is blocked, then recovers",
      [BAD, BAD, BAD, GOOD],
      [
        ["blocked", 1, 3],
        ["recovered", 1, 4],
      ],
    ],
  ] as const)("attempts are recorded when a tool %s", async (_, calls, expected) => {
    const { send } = watched();
    for (const args of calls) await send(args);
    expect(await pointsOf("toolcontract.attempts")).toEqual(
      expected.map(([result, count, sum]) => [
        { ...tool, "toolcontract.result": result },
        { count, sum },
      ]),
    );
  });

  test("each check is measured, whatever came of it", async () => {
    const { contract, send } = watched({ rules: { add_item: [async () => []] } });
    for (const args of [GOOD, BAD]) await send(args);
    await contract.admit({ id: "c", name: "add_item", arguments: "{" }, PLACE);
    await contract.checkAsync(ADD_ITEM, GOOD);
    expect(await pointsOf("toolcontract.check.duration")).toMatchObject([[{}, { count: 4 }]]);
  });

  const engine = createMemoryStore();
  const outage = { cause: new RangeError() };
  const broken = { ...engine, update: async () => Promise.reject(new RangeError()) };
  let isAway = false;
  const falling = {
    ...engine,
    update: ((key, change) => {
      isAway = true;
      return engine.update(key, change);
    }) satisfies AttemptStore["update"],
    get outage() {
      return isAway ? outage : undefined;
    },
  };

  test.each<[string, AttemptStore | undefined, object]>([
    ["in memory is not measured", undefined, {}],
    ["that answers", engine, { ok: 2 }],
    [
      "that answers later",
      { ...engine, update: async (...given) => engine.update(...given) },
      { ok: 2 },
    ],
    ["that fails", broken, { failed: 2 }],
    ["that goes on without its engine", falling, { failed: 1, skipped: 1 }],
  ])("a store %s", async (_, store, expected) => {
    const { send } = watched({ ...(store && { store }) });
    await send(BAD);
    await send(BAD);
    const points = (await pointsOf("toolcontract.store.duration")) as [
      Record<string, string>,
      { count: number },
    ][];
    const counts = points.map(([{ "toolcontract.result": result }, { count }]) => [result, count]);
    expect(Object.fromEntries(counts)).toEqual(expected);
  });

  test("a check does not include what a guardrail waits for", async () => {
    vi.useFakeTimers({ toFake: ["performance", "Date", "setTimeout"] });
    try {
      const check = async (): Promise<undefined> => {
        await vi.advanceTimersByTimeAsync(60_000);
        return undefined;
      };
      const { add } = staged({ check }, { telemetry: recording.api });
      await add(GOOD);
    } finally {
      vi.useRealTimers();
    }
    expect(await pointsOf("toolcontract.check.duration")).toEqual([[{}, { count: 1, sum: 0 }]]);
  });

  test("have the units, descriptions and buckets of the list, the package's version and a schema", async () => {
    const { send } = watched({ maxAttempts: 1 });
    await send(BAD);
    await send(GOOD);
    const metrics = await recording.metrics();
    for (const { descriptor, dataPoints } of metrics) {
      const known = Object.values(METRICS).find(({ name }) => name === descriptor.name);
      expect(descriptor).toMatchObject({ unit: known?.unit, description: known?.description });
      const value = dataPoints[0]?.value as { buckets?: { boundaries: number[] } };
      expect(value.buckets?.boundaries).toEqual(known?.buckets);
    }
    const { version } = (await import("../../package.json", { with: { type: "json" } })).default;
    const schemaUrl = "https://opentelemetry.io/schemas/gen-ai-dev/1.42.0-dev";
    for (const { instrumentationScope } of [...recording.spans, ...recording.logs]) {
      expect(instrumentationScope).toMatchObject({ name: "toolcontract", version, schemaUrl });
    }
  });

  test("no more than 1,000 tools are told apart, undeclared ones are one", async () => {
    const { contract } = watched();
    for (let index = 0; index < 10; index += 1) {
      const call = { id: "c", name: `made_up_${index}`, arguments: "{}" };
      await contract.admit(call, { conversationId: "t", tools: [] });
    }
    for (let index = 0; index < 1_100; index += 1) {
      const named = { ...ADD_ITEM, name: `tool_${index}` };
      const call = { id: "c", name: named.name, arguments: GOOD };
      await contract.admit(call, { conversationId: `${index}`, tool: named });
    }
    const points = (await pointsOf("toolcontract.calls")) as [Record<string, string>, number][];
    const names = new Set(points.map(([attributes]) => attributes["gen_ai.tool.name"]));
    expect(names.size).toBe(1_001);
    expect(names).toContain("(unknown)");
    expect(names).toContain("(other)");
    expect([...names].filter((name) => name?.startsWith("made_up"))).toEqual([]);
  });
});

describe("names", () => {
  test("everything that is emitted has a name of the list, and all of the list is emitted", async () => {
    const telemetry = { ...recording.api, conversationId: true };
    const stage = {
      check: (args: unknown) => ((args as { sku?: string }).sku ? refusal() : undefined),
    };
    const { add, contract } = staged(stage, {
      telemetry,
      rules: {
        add_item: [
          () => {
            throw new TypeError();
          },
        ],
      },
      onBlocked: "forgive",
    });
    await add(BAD);
    await add({ qty: 1, sku: "x" });
    const closing = { ...stage, lanes: { guardrail: 1 } };
    await staged(closing, { telemetry }).add({ qty: 1, sku: "x" });
    const other = staged(stage, { telemetry });
    await other.add({ qty: 1, sku: "x" });
    for (const args of [BAD, GOOD, BAD, BAD, BAD]) await other.add(args);
    await staged(undefined, { telemetry, mode: "observe", maxAttempts: 1 }).add(BAD);
    const repaired = { id: "r", name: "add_item", arguments: '{"qty": 1,}' };
    await contract.admit(repaired, { conversationId: "r", tool: ADD_ITEM });

    const used = (records: readonly { attributes: object }[]): string[] =>
      [...new Set(records.flatMap(({ attributes }) => Object.keys(attributes)))].toSorted();
    const calls = recording.logs.filter(({ eventName }) => eventName !== LOG_RECORDS.degraded);
    const faults = recording.logs.filter(({ eventName }) => eventName === LOG_RECORDS.degraded);
    expect(used(recording.spans)).toEqual([...SPAN_ATTRIBUTES].toSorted());
    expect(used(calls)).toEqual([...SPAN_ATTRIBUTES].toSorted());
    expect(used(faults)).toEqual([...DEGRADED_ATTRIBUTES].toSorted());
    expect(new Set(recording.logs.map(({ eventName }) => eventName))).toEqual(
      new Set(Object.values(LOG_RECORDS)),
    );
    const metrics = await recording.metrics();
    const { storeDuration: _, ...own } = METRICS;
    for (const { name, attributes } of Object.values(own)) {
      const metric = metrics.find(({ descriptor }) => descriptor.name === name);
      expect([name, used(metric?.dataPoints ?? [])]).toEqual([name, attributes.toSorted()]);
    }
    expect(metrics).toHaveLength(Object.keys(own).length);
  });

  test("none of an id, a path or a conversation is an attribute of a metric", () => {
    const { callId, conversationId, errorPaths, attempt } = ATTRIBUTES;
    for (const { attributes } of Object.values(METRICS)) {
      for (const name of [callId, conversationId, errorPaths, attempt]) {
        expect(attributes).not.toContain(name);
      }
    }
  });

  test("are in Prometheus what OpenTelemetry's own exporter makes of them", async () => {
    const { send } = watched({ maxAttempts: 1 });
    await send(BAD);
    const text = await recording.prometheus();
    for (const { name, kind, attributes } of [METRICS.calls, METRICS.attempts]) {
      const series = prometheusLabel(name) + (kind === "counter" ? "_total" : "_bucket");
      const line = text.split("\n").find((one) => one.startsWith(`${series}{`));
      const { lane, mode } = ATTRIBUTES;
      for (const attribute of attributes.filter((one) => one !== lane && one !== mode)) {
        expect(line).toContain(`${prometheusLabel(attribute)}="`);
      }
    }
  });
});

test("whatever a model sends, no part of it is in a span, a log record or a metric", async () => {
  const WORD = "zqx4242";
  const text = fc.constantFrom(WORD, `a ${WORD}`, `${WORD}\n`, `/${WORD}/x`, `{"k":"${WORD}"}`);
  const call = fc.record({ text, kind: fc.nat(6), isInvented: fc.boolean() });
  const fail = (): never => {
    throw new Error(WORD);
  };
  let spans = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 8 }), async (calls) => {
      recording.stop();
      recording = startRecording();
      const { contract } = watched({ maxAttempts: 2, onEscalation: fail, redact: [fail] });
      for (const [turn, { text: sent, kind, isInvented }] of calls.entries()) {
        const open = `{"qty": "${sent}`;
        const args = [{ qty: sent }, { [sent]: 1 }, { qty: 1, [sent]: sent }, sent, open, {}, GOOD];
        const place = { conversationId: sent, correlationId: sent, runId: sent };
        const name = isInvented ? sent : ADD_ITEM.name;
        const context = { ...place, tools: [ADD_ITEM], turnId: `${sent}${turn}` };
        const one = { ...callOf(args[kind], `call_${turn}`), name };
        await contract.handle(one, { ...context, execute: () => sent });
      }
      spans += recording.spans.length;
      const { spans: made, logs } = recording;
      const told = [
        made.map(({ name, attributes, status, events }) => ({ name, attributes, status, events })),
        logs.map(({ eventName, body, attributes }) => ({ eventName, body, attributes })),
        (await recording.metrics()).map(({ dataPoints }) =>
          dataPoints.map(({ attributes }) => attributes),
        ),
      ];
      expect(JSON.stringify(told)).not.toContain(WORD);
      expect(made.every(({ ended }) => ended)).toBe(true);
    }),
    { numRuns: 30 },
  );
  expect(spans).toBeGreaterThan(30);
}, 60_000);

test.each([
  [{ refusals: "all" }, `'telemetry.refusals' must be "span" or "active" or "off"`],
  [{ conversationId: "thread-7" }, "'telemetry.conversationId' must be true or false"],
])("an option that is wrong throws: %j", (wrong, says) => {
  const telemetry = { ...recording.api, ...wrong } as never;
  expect(() => createContract({ telemetry })).toThrow(`createContract: option ${says}.`);
});
