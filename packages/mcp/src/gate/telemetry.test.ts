import { startRecording } from "@toolcontract/telemetry";
import { describe, expect, onTestFinished, test } from "vitest";
import type { TelemetryApi } from "@toolcontract/core";
import { gatedServer, serverOf, succeed, textOf, toolCall } from "../testing/gated-server.ts";
import type { GateSettings } from "./options.ts";

const inputSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const tools = [{ name: "count", inputSchema }];
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

function recorded(options: GateSettings = {}) {
  const recording = startRecording();
  onTestFinished(() => recording.stop());
  const server = gatedServer(
    serverOf(tools, ({ id, params }) => {
      const isError = JSON.stringify(params).includes("99");
      return { jsonrpc: "2.0", id, result: { content: [], ...(isError && { isError }) } };
    }),
    { telemetry: recording.api, ...options },
  );
  return { recording, server };
}

function callIn(traceparent: unknown, n: unknown) {
  const call = toolCall(1, "count", { n });
  return { ...call, params: { ...(call["params"] as object), _meta: { traceparent, other: 1 } } };
}

describe("traceparent in _meta", () => {
  test("is the parent of a refused call's span", async () => {
    const { recording, server } = recorded();
    await server.request(callIn(`00-${TRACE}-${SPAN}-01`, "one"));
    const [span] = recording.spans;
    expect(span?.name).toBe("execute_tool count");
    expect(span?.spanContext().traceId).toBe(TRACE);
    expect(span?.parentSpanContext).toMatchObject({ spanId: SPAN, isRemote: true });
  });

  test("reaches the server as it was sent", async () => {
    const { server } = recorded();
    const sent = callIn(`00-${TRACE}-${SPAN}-01`, 1);
    await server.request(sent);
    expect(server.received.at(-1)).toBe(sent);
  });

  test.each([
    ["no string", 7],
    ["another form", "4bf92f35"],
    ["an invalid version", `ff-${TRACE}-${SPAN}-01`],
    ["a trace of zeros", `00-${"0".repeat(32)}-${SPAN}-01`],
    ["a span of zeros", `00-${TRACE}-${"0".repeat(16)}-01`],
  ])("that is %s is none", async (_, traceparent) => {
    const { recording, server } = recorded();
    await server.request(callIn(traceparent, "one"));
    const [span] = recording.spans;
    expect(span?.spanContext().traceId).not.toBe(TRACE);
    expect(span?.parentSpanContext).toBeUndefined();
  });

  test("leaves the active span to calls without one", async () => {
    const { recording, server } = recorded();
    await recording.inSpan("POST /mcp", async () => server.call("count", { n: "one" }));
    const [host, span] = recording.spans;
    expect(span?.parentSpanContext?.spanId).toBe(host?.spanContext().spanId);
  });
});

describe("callSpans: a span for each call", () => {
  test("with the parent, name and attributes that the contract's own spans have", async () => {
    const { recording, server } = recorded({ callSpans: true });
    await server.request({ jsonrpc: "2.0", id: 0, method: "tools/list", params: {} });
    await server.request(callIn(`00-${TRACE}-${SPAN}-01`, 1));
    const [span, ...others] = recording.spans;
    expect(others).toEqual([]);
    expect(span).toMatchObject({ name: "execute_tool count", ended: true });
    expect(span?.parentSpanContext).toMatchObject({ traceId: TRACE, spanId: SPAN });
    expect(span?.attributes).toEqual({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "count",
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": "1",
    });
  });

  test("which the contract marks if it refuses the call", async () => {
    const { recording, server } = recorded({ callSpans: true });
    await server.request(callIn(undefined, "hunter2"));
    expect(recording.spans).toHaveLength(1);
    expect(recording.spans[0]).toMatchObject({
      name: "execute_tool count",
      status: { code: 2 },
      attributes: { "toolcontract.attempt": 1, "toolcontract.error.codes": ["VAL-002"] },
    });
    expect(JSON.stringify(recording.spans[0]?.attributes)).not.toContain("hunter2");
  });

  test.each<[string, (server: ReturnType<typeof recorded>["server"]) => Promise<unknown>, object]>([
    ["fails", async (server) => server.call("count", { n: 99 }), { "error.type": "tool_error" }],
    [
      "is of a tool that is not listed",
      async (server) => server.call("hunter2", {}),
      { "gen_ai.tool.name": "(unknown)" },
    ],
    [
      "loses its client",
      async (server) => {
        const { gate } = server;
        const own = server.link();
        await gate.fromClient(toolCall(1, "count", { n: 1 }), own);
        gate.closed(own);
      },
      { "error.type": "cancelled" },
    ],
  ])("also of one that %s", async (_, call, attributes) => {
    const { recording, server } = recorded({ callSpans: true });
    await call(server);
    expect(recording.spans).toHaveLength(1);
    expect(recording.spans[0]?.attributes).toMatchObject(attributes);
    expect(recording.spans[0]?.ended).toBe(true);
  });

  test("whose parent may come with the request", async () => {
    const { recording, server } = recorded({ callSpans: true });
    const message = toolCall(1, "count", { n: "one" });
    await server.gate.fromClient(message, server.link(), `00-${TRACE}-${SPAN}-01`);
    expect(recording.spans[0]?.parentSpanContext?.spanId).toBe(SPAN);
  });
});

test("mcp.server.operation.duration: each tool call once, with the tool and what was wrong", async () => {
  const { recording, server } = recorded({ toolTimeout: 60_000 });
  for (const n of [1, 2, 99, "one"]) await server.call("count", { n });
  await server.call("unlisted", {});
  await server.call("count", { n: 3 }, { ...server.link(), transport: "tcp" });
  await server.request({ jsonrpc: "2.0", id: 9, method: "tools/list" });
  const metrics = await recording.metrics();
  const found = metrics.find(({ descriptor }) => descriptor.name.startsWith("mcp."));
  expect(found?.descriptor).toMatchObject({
    name: "mcp.server.operation.duration",
    unit: "s",
    description: "Time from a client's tool call to its answer",
  });
  // Those of OpenTelemetry's conventions for MCP.
  expect(found?.dataPoints[0]?.value).toMatchObject({
    buckets: { boundaries: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300] },
  });
  const points = (found?.dataPoints ?? []).map(({ attributes, value }) => [
    attributes,
    (value as { readonly count: number }).count,
  ]);
  const count = { "mcp.method.name": "tools/call", "gen_ai.tool.name": "count" };
  expect(points).toEqual([
    [count, 2],
    [{ ...count, "error.type": "tool_error" }, 2],
    [{ ...count, "gen_ai.tool.name": "(unknown)" }, 1],
    [{ ...count, "network.transport": "tcp" }, 1],
  ]);
});

test("a meter that throws costs its measures and nothing else", async () => {
  const record = (): never => {
    throw new RangeError("meter");
  };
  const metrics = { getMeter: () => ({ createHistogram: () => ({ record }) }) };
  const server = gatedServer(
    serverOf(tools, (call) => (call["id"] === 3 ? undefined : succeed(call))),
    { telemetry: { metrics } as unknown as TelemetryApi, toolTimeout: 10 },
  );
  const stages: string[] = [];
  server.gate.contract.on("contract-degraded", ({ stage }) => stages.push(stage));
  expect(textOf(await server.call("count", { n: "one" }))).toContain("VAL-002");
  expect(textOf(await server.call("count", { n: 1 }))).toBe("done");
  const late = await server.gate.fromClient(toolCall(3, "count", { n: 1 }), server.link());
  const answer = await (late.kind === "forward" ? late.limited?.givenUp : undefined);
  expect(textOf(answer)).toBe("(tool failed: timeout)");
  expect(stages).toEqual(["telemetry"]);
});

test("without telemetry, responses of valid calls are not read", async () => {
  const server = gatedServer(serverOf(tools), { logger: false });
  const { gate } = server;
  const own = server.link();
  await server.request({ jsonrpc: "2.0", id: 1, method: "tools/list" }, own);
  await gate.fromClient(toolCall(2, "count", { n: 1 }), own);
  expect(gate.awaits(own)).toBe(false);
});
