import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { xml } from "@toolcontract/session/xml";
import { type LanguageModel, streamText, tool } from "ai";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { agentSession } from "./index.ts";

/** What an answer is made of; `N` stands for the nonce of its request. */
const PIECES = [
  "Let me look.",
  " ",
  "\n",
  "a < b",
  "<",
  "</",
  "<ai-agent-",
  "<ai-agent-cafebabe-0001>",
  '<ai-agent-N-0001 tool="read">{"path":"a<b"}</ai-agent-N-0001>',
  '<ai-agent-N-0002 tool="read">{"path":"</ai-agent-N-0001>"}</ai-agent-N-0002>',
  '<AI-agent-N-0003 tool="read">{"path":"c"}</ai-agent-N-0003 >',
  '<ai-agent-N-0001 tool="nope">hidden</ai-agent-N-0001>',
  '<ai-agent-N-FINAL tool="agent__final_report" format="markdown">\n# Done\n</ai-agent-N-FINAL>',
  "</ai-agent-N-0001>",
] as const;

const answers = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 7 })
  // A call lets go of what was held back before it.
  .map((pieces) => [PIECES[8], ...pieces].join(""));

test("however a streamed answer is cut, the same text is shown, and nothing of a tag", async () => {
  await fc.assert(
    fc.asyncProperty(answers, fc.array(fc.nat(400), { maxLength: 12 }), async (answer, cuts) => {
      const { seen: whole } = await run(answer, []);
      expect((await run(answer, cuts)).seen).toEqual(whole);
      expect(whole.shown).not.toMatch(/ai-agent-N-|hidden|path|# Done/i);
    }),
    { numRuns: 150 },
  );
});

test.each([1, 2, 3, 5, 7, 11, 64])("in chunks of %i nothing of a tag is shown", async (size) => {
  const answer = PIECES.join("");
  const places = Array.from({ length: Math.ceil(answer.length / size) }, (_, at) => at * size);
  const { seen: cut } = await run(answer, places);
  expect(cut).toEqual((await run(answer, [])).seen);
  expect(cut.shown).toBe("Let me look. \na < b<</<ai-agent-<ai-agent-cafebabe-0001>");
  expect(cut.calls).toEqual(["read a<b", "read </ai-agent-N-0001>", "read c"]);
  expect(cut.report).toBe("# Done");
});

test("text goes on as it comes, in blocks that begin and end", async () => {
  const { parts } = await run(
    "<",
    [],
    'One.<ai-agent-N-0001 tool="read">{"path":"a"}</ai-agent-N-0001>Two, ',
  );
  const seen = parts.filter((type) => type.startsWith("text") || type === "tool-call");
  expect(seen.join(" ")).toBe(
    "text-start text-delta text-end tool-call text-start text-delta text-delta text-end",
  );
});

interface Seen {
  readonly shown: string;
  readonly calls: readonly string[];
  readonly report: string | undefined;
  readonly stored: unknown;
}

async function run(
  answer: string,
  cuts: readonly number[],
  before = "",
): Promise<{ readonly seen: Seen; readonly parts: readonly string[] }> {
  const calls: string[] = [];
  const parts: string[] = [];
  let shown = "";
  let nonce = "";
  const model = streaming((given) => {
    nonce = given;
    const text = answer.replaceAll("-N-", `-${nonce}-`);
    return before === "" ? split(text, cuts) : [before.replaceAll("-N-", `-${nonce}-`), text];
  });
  const session = agentSession({
    targets: [{ model }],
    tools: {
      read: tool({
        inputSchema: z.object({ path: z.string() }),
        execute: ({ path }) => {
          calls.push(`read ${path}`);
          return "ok";
        },
      }),
    },
    transport: xml,
    maxTurns: 2,
    maxRetries: 1,
  });
  const result = await session.run(async (options) => {
    const stream = streamText({
      ...options,
      prompt: "What is in my notes?",
      onError: () => undefined,
    });
    for await (const part of stream.fullStream) {
      parts.push(part.type);
      if (part.type === "text-delta") shown += part.text;
    }
    return stream;
  });
  const clean = (text: string): string => text.replaceAll(nonce, "N");
  const seen = {
    shown: clean(shown),
    calls: calls.map(clean),
    report: result.finalReport?.content,
    stored: JSON.parse(clean(JSON.stringify(result.conversation))) as unknown,
  };
  return { seen, parts };
}

function split(text: string, cuts: readonly number[]): readonly string[] {
  const edges = [
    0,
    ...cuts.filter((at) => at < text.length).toSorted((a, b) => a - b),
    text.length,
  ];
  return edges.slice(1).map((end, index) => text.slice(edges[index], end));
}

/** A model that streams one answer and then nothing more. */
function streaming(answer: (nonce: string) => readonly string[]): LanguageModel {
  let isFirst = true;
  return {
    specificationVersion: "v4",
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("not used")),
    doStream: async ({ prompt }: LanguageModelV4CallOptions) => {
      const [, nonce = ""] = /<ai-agent-([0-9a-f]{8})-/.exec(JSON.stringify(prompt.at(-1))) ?? [];
      const deltas = isFirst ? answer(nonce) : [];
      isFirst = false;
      const parts = [
        { type: "stream-start", warnings: [] },
        { type: "text-start", id: "t" },
        ...deltas.map((delta) => ({ type: "text-delta", id: "t", delta })),
        { type: "text-end", id: "t" },
        {
          type: "finish",
          finishReason: { unified: "stop", raw: "stop" },
          usage: { inputTokens: { total: 10 }, outputTokens: { total: 5 } },
        },
      ];
      return { stream: new ReadableStream({ start: (controller) => pour(controller, parts) }) };
    },
  };
}

function pour(controller: ReadableStreamDefaultController<object>, parts: readonly object[]): void {
  for (const part of parts) controller.enqueue(part);
  controller.close();
}
