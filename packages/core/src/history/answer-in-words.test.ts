import { expect, test } from "vitest";
import { contentInWords, endedInWords, streamInWords } from "./answer-in-words.ts";

interface Part {
  readonly type: string;
  readonly [name: string]: unknown;
}

const text: Part = { type: "text", text: "Sorry." };
const own: Part = { type: "tool-call", toolCallId: "a", toolName: "pay", input: "{}" };
const foreign: Part = { ...own, providerExecuted: true };

test.each<[string, readonly Part[], readonly Part[]]>([
  ["words beside calls stay", [text, own], [text]],
  ["calls alone become words", [own, own], [{ type: "text", text: "The end." }]],
  [
    "blank words are none",
    [{ type: "text", text: " " }, own],
    [
      { type: "text", text: " " },
      { type: "text", text: "The end." },
    ],
  ],
  ["calls that the provider ran stay", [foreign, text, own], [foreign, text]],
])("content: %s", (_, content, expected) => {
  expect(contentInWords(content, "The end.")).toEqual(expected);
});

test("content without calls is the same list", () => {
  const content = [text, foreign];
  expect(contentInWords(content, "The end.")).toBe(content);
});

const deltas = (id: string, more: object = {}): readonly Part[] => [
  { type: "tool-input-start", id, toolName: "pay", ...more },
  { type: "tool-input-delta", id, delta: "{}" },
  { type: "tool-input-end", id },
];
const finish: Part = { type: "finish", finishReason: { unified: "tool-calls", raw: "x" } };
const said: readonly Part[] = [
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta: "Sorry." },
  { type: "text-end", id: "t" },
];

test.each<[string, readonly Part[], readonly string[], unknown]>([
  [
    "words beside calls",
    [...said, ...deltas("a"), own, finish],
    ["text-start", "text-delta", "text-end", "finish"],
    "stop",
  ],
  [
    "calls alone",
    [...deltas("a"), own, finish],
    ["text-start", "text-delta", "text-end", "finish"],
    "stop",
  ],
  [
    "calls that the provider ran",
    [...deltas("p", { providerExecuted: true }), foreign, finish],
    ["tool-input-start", "tool-input-delta", "tool-input-end", "tool-call", "finish"],
    "tool-calls",
  ],
  ["nothing at all", [finish], ["finish"], "tool-calls"],
])("a stream: %s", async (_, parts, types, reason) => {
  const stream = ReadableStream.from(parts).pipeThrough(streamInWords<Part>("The end."));
  const read: Part[] = [];
  for await (const part of stream) read.push(part);
  expect(read.map(({ type }) => type)).toEqual(types);
  expect(read.at(-1)?.["finishReason"]).toMatchObject({ unified: reason });
});

test("the reason has the form that it came in", () => {
  expect(endedInWords("tool-calls")).toBe("stop");
  expect(endedInWords({ unified: "tool-calls", raw: "x" })).toEqual({ unified: "stop", raw: "x" });
});
