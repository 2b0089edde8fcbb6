import { OpenTelemetry } from "@ai-sdk/otel";
import * as api from "@opentelemetry/api";
import { traceRefusals } from "@toolcontract/ai-sdk";
import { renderTrace, startRecording } from "@toolcontract/telemetry";
import { tool } from "ai";
import { z } from "zod";
import { type Toolbox } from "../ai-sdk/toolbox.ts";
import { onAiSdk } from "../ai-sdk/on-ai-sdk.ts";
import type { Scenario } from "../scenario.ts";

const account = "DE89370400440532013000";
const shown = ["toolcontract.attempt", "toolcontract.escalated"];

function openToolbox(): Toolbox {
  const reached: unknown[] = [];
  const transfer = tool({
    description: "Sends money",
    inputSchema: z.object({ to: z.string(), euros: z.number().positive() }),
    execute: ({ euros }) => {
      reached.push(euros);
      return `Sent ${euros} euros`;
    },
  });
  const rate = tool({
    description: "Rates the service",
    inputSchema: z.object({ stars: z.int().max(5) }),
    execute: () => "Thank you",
  });
  return { tools: { transfer, rate }, reached };
}

const run = onAiSdk({
  name: "ai-sdk-telemetry",
  title: "AI SDK: what OpenTelemetry gets of a call that recovers and one that is blocked",
  story: "A call that the AI SDK refuses is in no trace: not as a span, and not as an error.",
  secrets: [account],
  options: { telemetry: api },
  // Nothing that the model wrote or read is recorded.
  telemetry: () => ({
    integrations: [traceRefusals(api), new OpenTelemetry()],
    recordInputs: false,
    recordOutputs: false,
  }),
  inSpan: async (play) =>
    api.trace.getTracer("application").startActiveSpan("POST /chat", async (span) => {
      try {
        return await play();
      } finally {
        span.end();
      }
    }),
  openToolbox,
  script: [
    { calls: [{ tool: "transfer", args: { to: account, euros: "50" } }] },
    {
      learned: ["send 50 without quotes"],
      calls: [{ tool: "transfer", args: { to: account, euros: 50 } }],
    },
    ...["nine", "ten", "all"].map((stars) => ({ calls: [{ tool: "rate", args: { stars } }] })),
    { calls: [], says: "I have sent the money, but could not rate the service." },
  ],
  verify(scene, claim) {
    const [trace, metrics] = (scene.pages ?? []).map(({ text }) => text);
    const failed = (trace ?? "").split("\n").filter((line) => line.includes("ERROR"));
    claim("each refused call is a failed span within the SDK's own", failed.length === 4, failed);
    claim(
      "below the model call that made it",
      failed.every((line) => line.startsWith("        execute_tool ")),
      failed,
    );
    const expected = [
      'toolcontract_attempts_sum{gen_ai_tool_name="transfer",toolcontract_result="recovered"} 2',
      'toolcontract_escalations_total{gen_ai_tool_name="rate"} 1',
    ];
    claim(
      "the metrics say what recovered and what was escalated",
      expected.every((line) => metrics?.includes(line)),
      metrics,
    );
    claim(
      "neither contains a value",
      !`${trace}${metrics}`.includes(account) && !`${trace}${metrics}`.includes("nine"),
    );
  },
});

/** A run of the AI SDK as operators see it. */
export const aiSdkTelemetry: Scenario = {
  ...run,
  async play(stage) {
    const recording = startRecording();
    try {
      const scene = await run.play?.(stage);
      if (scene === undefined) throw new Error("The scenario has no play.");
      const pages = [
        { title: "The trace", text: renderTrace(recording.spans, shown) },
        { title: "The metrics", text: withoutTimes(await recording.prometheus()) },
      ];
      return { ...scene, pages };
    } finally {
      recording.stop();
    }
  },
};

/** The contract's metrics, without comments, and without how long each check took, which differs each time. */
function withoutTimes(text: string): string {
  return text
    .split("\n")
    .filter((line) => line.startsWith("toolcontract") && !/duration_(?:bucket|sum)/.test(line))
    .join("\n");
}
