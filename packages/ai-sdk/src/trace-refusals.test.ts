import { OpenTelemetry } from "@ai-sdk/otel";
import { type Recording, renderTrace, startRecording } from "@toolcontract/telemetry";
import { afterEach, beforeEach, expect, test } from "vitest";
import { steps } from "./testing/describe-on.ts";
import { describeModes, describeVersions } from "./testing/every-sdk.ts";
import type { Sdk } from "./testing/sdk.ts";
import { SECRET, bad, good, quiet, travel } from "./testing/travel.ts";

let recording: Recording;

beforeEach(() => {
  recording = startRecording();
});
afterEach(() => recording.stop());

/** The SDK's own spans: of version 7 by its integration, before that built in. */
function spansOf({ version, adapter }: Sdk, withPlace: boolean): object {
  if (version !== 7) return { experimental_telemetry: { isEnabled: true, recordInputs: false } };
  const place = withPlace ? [adapter.traceRefusals(recording.api)] : [];
  const telemetry = {
    integrations: [...place, new OpenTelemetry()],
    recordInputs: false,
    recordOutputs: false,
  };
  return { telemetry };
}

/** The names of a span and of those above it, the span first. */
function pathOf(name: string): readonly string[] {
  const names: string[] = [];
  let span = recording.spans.find((one) => one.name === name);
  while (span) {
    names.push(span.name);
    const parent = span.parentSpanContext?.spanId;
    span = recording.spans.find((one) => one.spanContext().spanId === parent);
  }
  return names;
}

const NEWEST = `POST /chat
  invoke_agent scripted
    step 1
      chat scripted
        execute_tool book ERROR VAL-002
    step 2
      chat scripted
      execute_tool book
    step 3
      chat scripted`;

/** Version 5 and 6 have their own names. */
const older = (call: string, ask: string): string => `POST /chat
  ai.${call}
    ai.${call}.${ask}
    execute_tool book ERROR VAL-002
    ai.${call}.${ask}
    ai.toolCall
    ai.${call}.${ask}`;

describeModes((sdk, mode) => {
  const isStream = mode === "streamText" || mode === "streaming agent";

  test("a refused call is a failed span within the SDK's own", async () => {
    const { tools, ran } = travel(sdk);
    const model = sdk.script([
      { calls: [bad("call_1", "book", `{"from":"${SECRET}","age":"x"}`)] },
      { calls: [good("call_2")] },
      { text: "done" },
    ]);
    const guarded = sdk.adapter.withContract({ ...quiet, telemetry: recording.api, tools });
    const settings = { ...guarded, ...spansOf(sdk, true), stopWhen: steps(5) };
    await recording.inSpan("POST /chat", async () => sdk.run(mode, { model, settings }));
    expect(ran).toHaveLength(1);

    const [refused, ...others] = recording.spans.filter(
      ({ attributes }) => attributes["toolcontract.outcome"] !== undefined,
    );
    expect(others).toEqual([]);
    expect(refused).toMatchObject({
      name: "execute_tool book",
      attributes: {
        "gen_ai.tool.call.id": "call_1",
        "error.type": "VAL-002",
        "toolcontract.attempt": 1,
      },
    });
    const tree = isStream ? older("streamText", "doStream") : older("generateText", "doGenerate");
    expect(renderTrace(recording.spans)).toBe(sdk.version === 7 ? NEWEST : tree);
    const ours = {
      refused: refused?.attributes,
      logs: recording.logs.map((one) => one.attributes),
    };
    expect(JSON.stringify(ours)).not.toContain(SECRET);
  });
});

describeVersions(
  (sdk) => {
    test("without traceRefusals, the span is beside the agent's, and alone if nothing is active", async () => {
      const run = async (): Promise<void> => {
        const { tools } = travel(sdk);
        const model = sdk.script([{ calls: [bad("call_1")] }, { text: "done" }]);
        const guarded = sdk.adapter.withContract({ ...quiet, telemetry: recording.api, tools });
        await sdk.run("generateText", { model, settings: { ...guarded, ...spansOf(sdk, false) } });
      };
      await recording.inSpan("POST /chat", run);
      expect(pathOf("execute_tool book")).toEqual(["execute_tool book", "POST /chat"]);
      recording.stop();
      recording = startRecording();
      await run();
      expect(pathOf("execute_tool book")).toEqual(["execute_tool book"]);
    });

    test("two runs at once, whose calls have the same ids, keep their own trees", async () => {
      const run = async (name: string): Promise<unknown> =>
        recording.inSpan(name, async () => {
          const { tools } = travel(sdk);
          const model = sdk.script([{ calls: [bad("call_1")] }, { text: "done" }]);
          const guarded = sdk.adapter.withContract({ ...quiet, telemetry: recording.api, tools });
          const settings = { ...guarded, ...spansOf(sdk, true) };
          return sdk.run("streamText", { model, settings });
        });
      await Promise.all([run("POST /a"), run("POST /b")]);
      const lines = renderTrace(recording.spans).split("\n");
      const shape = lines.map((line) => line.replace(/ (mock|scripted)\S*/, ""));
      const half = shape.length / 2;
      expect(shape.slice(0, half).with(0, "POST")).toEqual(shape.slice(half).with(0, "POST"));
      expect(lines.filter((line) => line.includes("execute_tool"))).toHaveLength(2);
    });

    test.each([undefined, "text", { content: "text", stream: undefined }])(
      "a result that has neither calls nor a stream is passed on as it is: %j",
      async (result) => {
        const tracing = sdk.adapter.traceRefusals(recording.api);
        const execute = async (): Promise<unknown> => Promise.resolve(result);
        expect(await tracing.executeLanguageModelCall({ execute })).toBe(result);
      },
    );

    test("a call that a guardrail refuses while it runs is the SDK's own span, marked", async () => {
      const { tools } = travel(sdk);
      const model = sdk.script([{ calls: [good("call_1")] }, { text: "done" }]);
      const stage = {
        name: "shop",
        lanes: { outcome: 2 },
        around: async () => ({
          action: "retry" as const,
          lane: "outcome" as const,
          errors: [{ message: "no seat left" }],
        }),
      };
      const guarded = sdk.adapter.withContract({
        ...quiet,
        telemetry: recording.api,
        guardrails: stage,
        tools,
      });
      await sdk.run("generateText", { model, settings: { ...guarded, ...spansOf(sdk, true) } });
      const spans = recording.spans.filter(({ name }) => name === "execute_tool book");
      expect(spans).toHaveLength(1);
      expect(spans[0]?.attributes).toMatchObject({
        "toolcontract.outcome": "rejected",
        "toolcontract.lane": "outcome",
        "gen_ai.tool.call.id": "call_1",
      });
    });
  },
  {
    6: "its spans are built in, and always active",
    5: "its spans are built in, and always active",
  },
);
