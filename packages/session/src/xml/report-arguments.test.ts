import { normalizeReport } from "../report/index.ts";
import type { ReportFormat } from "../shared/index.ts";
import { describe, expect, test } from "vitest";
import {
  createScanner,
  createXmlState,
  reportCall,
  xmlEntry,
  xmlFacts,
  type XmlFinalEvent,
} from "./index.ts";

const final = (content: string, format?: string): XmlFinalEvent => ({
  type: "final",
  id: "deadbeef-FINAL",
  format,
  content,
  isClosed: true,
});

describe("the report as a call of the report tool", () => {
  test.each([
    ["markdown", "# Done", { content: "# Done" }],
    ["text", '{"status":"x"}', { content: '{"status":"x"}' }],
    ["sub-agent", '{"format":"pdf"}', { content: '{"format":"pdf"}' }],
    [
      "json",
      '{"status":"mine","format":"pdf","ts":1}',
      { content_json: { status: "mine", format: "pdf", ts: 1 } },
    ],
    ["json", "{a:1,}", { content_json: "{a:1,}" }],
    ["json", "no JSON", { content_json: "no JSON" }],
    ["slack-block-kit", '[{"blocks":[]}]', { messages: [{ blocks: [] }] }],
  ] as const)("in the format %s of %j", (expected, content, given) => {
    const { arguments: written, ...call } = reportCall(final(content), expected);
    expect(call).toEqual({ id: "deadbeef-FINAL", name: "agent__final_report" });
    expect(JSON.parse(written)).toEqual(given);
  });

  test("says which format the tag named, right or wrong", () => {
    expect(JSON.parse(reportCall(final("x", "pdf"), "text").arguments)).toEqual({
      format: "pdf",
      content: "x",
    });
  });
});

describe("an answer's report, from the tag to the object", () => {
  const taken = (format: ReportFormat, attribute: string, payload: string) => {
    const scanner = createScanner(createXmlState({ nonce: "deadbeef", mode: "xml-final" }), {
      tools: [],
    });
    scanner.push(`<ai-agent-deadbeef-FINAL ${attribute}>${payload}</ai-agent-deadbeef-FINAL>`);
    const { events } = scanner.end("stop");
    const event = events.find(({ type }) => type === "final");
    if (event?.type !== "final") throw new Error("no report");
    return normalizeReport(reportCall(event, format).arguments, { format, clock: () => 7 });
  };

  test.each([
    ["markdown", "markdown", "\n# Paris\n", { content: "# Paris" }],
    ["markdown", "pdf", "# Paris", { content: "# Paris" }],
    ["sub-agent", "sub-agent", "{not: JSON", { content: "{not: JSON" }],
    ["json", "json", '{"status":"open","ts":1}', { content_json: { status: "open", ts: 1 } }],
    ["json", "json", '```json\n{"a":1,}\n```', { content_json: { a: 1 } }],
    ["slack-block-kit", "slack-block-kit", '[{"text":"hi"}]', { messages: [{ text: "hi" }] }],
    [
      "slack-block-kit",
      "slack-block-kit",
      '{"messages":[{"text":"hi"}]}',
      { messages: [{ text: "hi" }] },
    ],
  ] as const)("%s, in a tag that says %s: %j", (format, attribute, payload, content) => {
    expect(taken(format, `format="${attribute}"`, payload)).toEqual({
      status: "ok",
      report: { status: "success", format, ts: 7, ...content },
    });
  });

  test("JSON that cannot be read is no report", () => {
    expect(taken("json", "format='json'", "Paris").status).toBe("invalid");
  });
});

describe("what an answer is judged by", () => {
  const judged = (answer: string, stop = "stop") => {
    const scanner = createScanner(createXmlState({ nonce: "deadbeef", mode: "xml" }), {
      tools: ["add"],
    });
    scanner.push(answer);
    return xmlFacts(
      { text: "beside", hasReasoning: true, calls: [], finishReason: stop },
      scanner.end(stop),
    );
  };

  test("text without tags is text, which the last turn takes for the report", () => {
    expect(judged("beside")).toMatchObject({ text: "beside", finishReason: "stop", cut: false });
  });

  test.each([
    '<ai-agent-deadbeef-0001 tool="add">{}</ai-agent-deadbeef-0001>',
    '<ai-agent-deadbeef-0001 tool="nope">{}</ai-agent-deadbeef-0001>',
    "<ai-agent-cafebabe-FINAL>x</ai-agent-cafebabe-FINAL>",
  ])("text beside %s is none", (tags) => {
    expect(judged(tags)).toMatchObject({ text: "" });
  });

  test("reasoning alone is no answer", () => {
    expect(judged("")).toMatchObject({ hasReasoning: false });
  });

  test("a call after which the model hit its length limit runs", () => {
    expect(
      judged('<ai-agent-deadbeef-0001 tool="add">{}</ai-agent-deadbeef-0001> a', "length"),
    ).toMatchObject({
      finishReason: "tool-calls",
      cut: false,
    });
  });

  test("half a call is cut", () => {
    expect(judged('<ai-agent-deadbeef-0001 tool="add">{', "length")).toMatchObject({ cut: true });
  });
});

describe("accounting", () => {
  const state = createXmlState({ nonce: "deadbeef", mode: "xml" });
  test.each([
    ["deadbeef-0001", "add", { command: "add", source: "xml" }],
    [
      "deadbeef-FINAL",
      "agent__final_report",
      { command: "agent__final_report_xml", source: "xml" },
    ],
    [
      "deadbeef-FINAL-2",
      "agent__final_report",
      { command: "agent__final_report_xml", source: "xml" },
    ],
    ["call_1", "add", { command: "add" }],
    ["call_1", "agent__final_report", { command: "agent__final_report" }],
    ["cafebabe-0001", "add", { command: "add" }],
  ])("of %s (%s)", (id, name, entry) => {
    expect(xmlEntry(state, { id, name })).toEqual(entry);
  });
});
