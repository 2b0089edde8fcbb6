import { expect, test } from "vitest";
import { z } from "zod";
import { steps } from "./testing/describe-on.ts";
import { describeVersions } from "./testing/every-sdk.ts";
import type { ScriptedTurn } from "./testing/scripted-model.ts";

interface Part {
  readonly type: string;
  readonly delta?: string;
  readonly data?: unknown;
}

describeVersions((sdk) => {
  test("a chat shows words and the escalation in the stream; attempts are errors of parts", async () => {
    const book = sdk.ai.tool({
      inputSchema: z.object({ from: z.string().length(3) }),
      execute: async () => "booked",
    });
    const bad = (id: string): ScriptedTurn => ({
      calls: [{ id, name: "book", input: '{"from":"Lisbon"}' }],
    });
    const { model } = sdk.script([bad("1"), bad("2"), bad("3"), { text: "I could not book it." }]);
    const stream = sdk.ai.createUIMessageStream({
      execute({ writer }) {
        const onEscalation = (): void =>
          writer.write({ type: "data-note", data: "A person will look at it." });
        const tools = { book };
        const guarded = sdk.adapter.withContract({
          tools,
          onEscalation,
          logger: false,
          stopWhen: steps(8),
        });
        const result = sdk.ai.streamText({ model, prompt: "Lisbon", ...guarded });
        writer.merge(result.toUIMessageStream({ onError: (thrown) => (thrown as Error).message }));
      },
    });
    const parts: Part[] = [];
    for await (const part of stream as AsyncIterable<Part>) parts.push(part);
    expect(parts.flatMap(({ delta }) => delta ?? []).join("")).toContain("I could not book it.");
    expect(parts.flatMap(({ data }) => data ?? [])).toEqual(["A person will look at it."]);
    // What a page leaves out: the words for the model are in nothing else.
    const others = parts.filter(
      ({ type }) => type !== "tool-output-error" && type !== "tool-input-error",
    );
    expect(JSON.stringify(others)).not.toContain("Validation failed");
  });
});
