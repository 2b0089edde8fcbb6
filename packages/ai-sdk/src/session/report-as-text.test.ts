import { expect, test } from "vitest";
import { z } from "zod";
import { describeVersions } from "../testing/every-sdk.ts";
import { call, type RawAnswer, rawModel, text } from "../testing/raw-model.ts";

describeVersions(({ version, ai, session: { agentSession } }) => {
  const look = ai.tool({ inputSchema: z.object({}), execute: () => "nothing new" });

  async function play(answers: readonly RawAnswer[], maxTurns: number) {
    const { model, requests } = rawModel(version, answers);
    const session = agentSession({
      targets: [{ model }],
      tools: { look },
      maxTurns,
      reportAs: "text",
      sleep: async () => undefined,
    });
    const parts: string[] = [];
    const result = await session.run((options) => {
      const stream = ai.streamText({
        ...options,
        prompt: "Look.",
        onChunk: ({ chunk }) => void parts.push(chunk.type),
      });
      return stream;
    });
    return { result, requests, parts };
  }

  test("the report is text, and its tool is in no request (M2)", async () => {
    const looks = { content: [call("c1", "look")] };
    const { result, requests, parts } = await play([looks, { content: [text("All is well.")] }], 4);
    expect(result).toMatchObject({ success: true, finalReport: { content: "All is well." } });
    expect(requests.map(({ tools = [] }) => tools.map(({ name }) => name))).toEqual([
      ["look"],
      ["look"],
    ]);
    expect(parts).toContain("text-delta");
    expect(JSON.stringify(requests)).not.toContain("final_report");
  });

  test("in the last turn, nothing is offered, and the model is asked for its words", async () => {
    const { result, requests } = await play(
      [{ content: [call("c1", "look")] }, {}, { content: [text("So far, nothing.")] }],
      2,
    );
    expect(result).toMatchObject({ success: true, finalReport: { content: "So far, nothing." } });
    const last = requests.at(-1);
    expect(last?.tools ?? []).toEqual([]);
    expect(last?.toolChoice).toBeUndefined();
    expect(JSON.stringify(last?.prompt)).toContain("Write your final answer now");
    expect(JSON.stringify(requests)).not.toContain("final_report");
  });
});
