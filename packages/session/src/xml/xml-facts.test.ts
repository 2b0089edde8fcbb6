import { expect, test } from "vitest";
import type { ReplyFacts } from "../shared/index.ts";
import { createScanner } from "./scanner.ts";
import { offeredState } from "./testing/offered-state.ts";
import { xmlFacts } from "./xml-facts.ts";

function judged(answer: string, stop = "stop"): ReplyFacts {
  const scanner = createScanner(offeredState(), {
    tools: [{ name: "add", inputSchema: {} }],
    isForced: false,
    report: { format: "markdown" },
  });
  scanner.push(answer);
  const facts = { text: "beside", hasReasoning: true, calls: [], finishReason: stop };
  return xmlFacts(facts, scanner.end(stop));
}

test("text without tags is text, which the last turn takes for the report", () => {
  expect(judged("beside")).toMatchObject({ text: "beside", finishReason: "stop", cut: false });
});

test.each([
  '<ai-agent-deadbeef-0001 tool="add">{}</ai-agent-deadbeef-0001>',
  '<ai-agent-deadbeef-0001 tool="nope">{}</ai-agent-deadbeef-0001>',
  "<ai-agent-cafebabe-FINAL>x</ai-agent-cafebabe-FINAL>",
  "x</ai-agent-deadbeef-FINAL>",
])("text beside %s is none", (tags) => {
  expect(judged(tags)).toMatchObject({ text: "" });
});

test("reasoning alone is not an answer", () => {
  expect(judged("")).toMatchObject({ hasReasoning: false });
});

test("a call after which the model hit its length limit runs", () => {
  const call = '<ai-agent-deadbeef-0001 tool="add">{}</ai-agent-deadbeef-0001>';
  expect(judged(`${call} a`, "length")).toMatchObject({ finishReason: "tool-calls", cut: false });
});

test("half a call is cut", () => {
  expect(judged('<ai-agent-deadbeef-0001 tool="add">{', "length")).toMatchObject({ cut: true });
});
