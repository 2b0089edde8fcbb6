import { describe, expect, test } from "vitest";
import { normalizeReport } from "../report/index.ts";
import type { ReportFormat, XmlFinalEvent } from "../shared/index.ts";
import { createScanner } from "./scanner.ts";
import { offeredState } from "./testing/offered-state.ts";

function reportOf(format: ReportFormat, attributes: string, payload: string): XmlFinalEvent {
  const scanner = createScanner(offeredState({ mode: "xml-final" }), {
    tools: [],
    isForced: false,
    report: { format },
  });
  scanner.push(`<ai-agent-deadbeef-FINAL ${attributes}>${payload}</ai-agent-deadbeef-FINAL>`);
  const event = scanner.end("stop").events.find(({ type }) => type === "final");
  if (event?.type !== "final") throw new Error("no report");
  return event;
}

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
  ] as const)("in the format %s of %j", (format, payload, given) => {
    const event = reportOf(format, "", payload);
    expect(event).toMatchObject({ id: "deadbeef-FINAL", name: "agent__final_report" });
    expect(JSON.parse(event.arguments)).toEqual(given);
  });

  test("says which format the tag named, right or wrong", () => {
    expect(JSON.parse(reportOf("text", "format='pdf'", "x").arguments)).toEqual({
      format: "pdf",
      content: "x",
    });
  });
});

describe("an answer's report, from the tag to the object", () => {
  const taken = (format: ReportFormat, attributes: string, payload: string) =>
    normalizeReport(reportOf(format, attributes, payload).arguments, { format, clock: () => 7 });

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

  test("JSON that cannot be read is not a report", () => {
    expect(taken("json", "format='json'", "Paris").status).toBe("invalid");
  });
});
