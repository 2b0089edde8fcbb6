import { describe, expect, test } from "vitest";
import type { ReportFormat, SessionEvent } from "../shared/index.ts";
import { normalizeReport, type ReportOptions } from "./index.ts";

const BUG = {
  type: "object",
  properties: {
    title: { type: "string" },
    // Names that the wrapper has too.
    format: { type: "string" },
    status: { type: "string" },
    content: { type: "string" },
    steps: { type: "array", items: { type: "object", properties: { n: { type: "number" } } } },
  },
  required: ["title"],
};
const SECTION = { type: "section", text: { type: "mrkdwn", text: "*Paris*" } };
const base64 = (text: string): string => Buffer.from(text).toString("base64");

interface Row {
  readonly name: string;
  readonly format: ReportFormat;
  readonly sent: unknown;
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly report: object;
}

describe("a report that is taken", () => {
  const rows: readonly Row[] = [
    {
      name: "Markdown",
      format: "markdown",
      sent: { content: "# Paris" },
      report: { content: "# Paris" },
    },
    {
      name: "arguments as JSON text",
      format: "text",
      sent: '{"content":"Paris"}',
      report: { content: "Paris" },
    },
    {
      name: "arguments with a trailing comma",
      format: "text",
      sent: '{"content":"Paris",}',
      report: { content: "Paris" },
    },
    {
      name: "arguments that are stringified twice",
      format: "text",
      sent: JSON.stringify('{"content":"Paris"}'),
      report: { content: "Paris" },
    },
    {
      name: "text that is JSON stays text",
      format: "text",
      sent: { content: '{"a":1}' },
      report: { content: '{"a":1}' },
    },
    {
      name: "white space around text stays",
      format: "text",
      sent: { content: "\n Paris \n" },
      report: { content: "\n Paris \n" },
    },
    {
      name: "metadata",
      format: "text",
      sent: { content: "Paris", metadata: { sources: 2 } },
      report: { content: "Paris", metadata: { sources: 2 } },
    },
    {
      name: "stringified metadata",
      format: "text",
      sent: { content: "Paris", metadata: '{"sources":2}' },
      report: { content: "Paris", metadata: { sources: 2 } },
    },
    {
      name: "metadata that is not an object is left out",
      format: "text",
      sent: { content: "Paris", metadata: "two sources" },
      report: { content: "Paris" },
    },
    {
      name: "a status, a time and unknown fields change nothing",
      format: "text",
      sent: { content: "Paris", status: "failure", ts: 1, mood: "good" },
      report: { content: "Paris" },
    },
    {
      name: "base64",
      format: "markdown",
      sent: { content: base64("# Zürich 😀"), encoding: "base64" },
      report: { content: "# Zürich 😀" },
    },
    {
      name: "base64 in lines, without padding",
      format: "markdown",
      sent: { content: "UGF\ny\naXM", encoding: "Base64" },
      report: { content: "Paris" },
    },
    {
      name: "an encoding that changes nothing: raw",
      format: "text",
      sent: { content: "Paris", encoding: "raw" },
      report: { content: "Paris" },
    },
    {
      name: "an encoding that changes nothing: UTF-8",
      format: "text",
      sent: { content: "Paris", encoding: "UTF-8" },
      report: { content: "Paris" },
    },
    {
      name: "an encoding that changes nothing: utf8",
      format: "text",
      sent: { content: "Paris", encoding: "utf8" },
      report: { content: "Paris" },
    },
    {
      name: "no encoding",
      format: "text",
      sent: { content: "UGFyaXM=", encoding: null },
      report: { content: "UGFyaXM=" },
    },
    {
      name: "text in the field of JSON",
      format: "markdown",
      sent: { content_json: "# Paris" },
      report: { content: "# Paris" },
    },
    {
      name: "the right field wins",
      format: "markdown",
      sent: { content: "# Paris", content_json: { city: "Rome" } },
      report: { content: "# Paris" },
    },

    {
      name: "a call in the content",
      format: "markdown",
      sent: { content: '{"format":"markdown","content":"# Paris"}' },
      report: { content: "# Paris" },
    },
    {
      name: "a call in the content, with metadata",
      format: "json",
      sent: {
        content_json: { format: "json", content_json: { city: "Paris" }, metadata: { sources: 2 } },
      },
      report: { content_json: { city: "Paris" }, metadata: { sources: 2 } },
    },
    {
      name: "a call in the content, with a schema",
      format: "json",
      schema: BUG,
      sent: { content_json: { format: "json", content_json: { title: "t" } } },
      report: { content_json: { title: "t" } },
    },
    {
      name: "a schema of a call's fields",
      format: "json",
      schema: { type: "object", required: ["format", "content_json"] },
      sent: { content_json: { format: "a", content_json: {} } },
      report: { content_json: { format: "a", content_json: {} } },
    },
    {
      name: "a sub-agent's call in the content",
      format: "sub-agent",
      sent: { content: '{"format":"x","content":"y"}' },
      report: { content: '{"format":"x","content":"y"}' },
    },

    {
      name: "JSON",
      format: "json",
      sent: { content_json: { city: "Paris" } },
      report: { content_json: { city: "Paris" } },
    },
    {
      name: "a JSON list",
      format: "json",
      sent: { content_json: [1, 2] },
      report: { content_json: [1, 2] },
    },
    {
      name: "JSON as a string",
      format: "json",
      sent: { content_json: '{"city":"Paris"}' },
      report: { content_json: { city: "Paris" } },
    },
    {
      name: "JSON as a string in a fence, with a trailing comma",
      format: "json",
      sent: { content_json: '```json\n{"city":"Paris",}\n```' },
      report: { content_json: { city: "Paris" } },
    },
    {
      name: "JSON that is stringified three times",
      format: "json",
      sent: { content_json: JSON.stringify(JSON.stringify('{"city":"Paris"}')) },
      report: { content_json: { city: "Paris" } },
    },
    {
      name: "JSON in the field of text",
      format: "json",
      sent: { content: '{"city":"Paris"}' },
      report: { content_json: { city: "Paris" } },
    },
    {
      name: "a JSON object in the field of text",
      format: "json",
      sent: { content: { city: "Paris" } },
      report: { content_json: { city: "Paris" } },
    },
    {
      name: "JSON as base64",
      format: "json",
      sent: { content_json: base64('{"city":"Paris"}'), encoding: "base64" },
      report: { content_json: { city: "Paris" } },
    },
    {
      name: "JSON that says base64 and is none",
      format: "json",
      sent: { content_json: { city: "Paris" }, encoding: "base64" },
      report: { content_json: { city: "Paris" } },
    },
    {
      name: "fields of the schema that the wrapper has too",
      format: "json",
      schema: BUG,
      sent: {
        format: "json",
        content_json: { title: "t", format: "pdf", status: "open", content: "c" },
      },
      report: { content_json: { title: "t", format: "pdf", status: "open", content: "c" } },
    },
    {
      name: "a list that is a string",
      format: "json",
      schema: BUG,
      sent: { content_json: { title: "t", steps: '[{"n":1}]' } },
      report: { content_json: { title: "t", steps: [{ n: 1 }] } },
    },
    {
      name: "strings in a list that is a string",
      format: "json",
      schema: BUG,
      sent: { content_json: { title: "t", steps: '["{\\"n\\":1}"]' } },
      report: { content_json: { title: "t", steps: [{ n: 1 }] } },
    },
    {
      name: "all of it stringified, with a list that is a string",
      format: "json",
      schema: BUG,
      sent: { content_json: JSON.stringify({ title: "t", steps: '[{"n":1}]' }) },
      report: { content_json: { title: "t", steps: [{ n: 1 }] } },
    },
    {
      name: "a string that looks like JSON where the schema wants a string",
      format: "json",
      schema: BUG,
      sent: { content_json: { title: '["draft"]' } },
      report: { content_json: { title: '["draft"]' } },
    },
    {
      name: "a schema of a string",
      format: "json",
      schema: { type: "string" },
      sent: { content_json: '{"a":1}' },
      report: { content_json: '{"a":1}' },
    },
    {
      name: "a recursive schema",
      format: "json",
      schema: {
        type: "object",
        properties: { next: { $ref: "#" }, n: { type: "number" } },
        required: ["n"],
      },
      sent: { content_json: { n: 1, next: '{"n":2}' } },
      report: { content_json: { n: 1, next: { n: 2 } } },
    },

    {
      name: "Slack messages",
      format: "slack-block-kit",
      sent: { messages: [{ blocks: [SECTION] }, { text: "hi" }] },
      report: { messages: [{ blocks: [SECTION] }, { text: "hi" }] },
    },
    {
      name: "messages as a string",
      format: "slack-block-kit",
      sent: { messages: JSON.stringify([{ blocks: [SECTION] }]) },
      report: { messages: [{ blocks: [SECTION] }] },
    },
    {
      name: "a message as a string",
      format: "slack-block-kit",
      sent: { messages: [JSON.stringify({ blocks: [SECTION] })] },
      report: { messages: [{ blocks: [SECTION] }] },
    },
    {
      name: "one message",
      format: "slack-block-kit",
      sent: { messages: { blocks: [SECTION] } },
      report: { messages: [{ blocks: [SECTION] }] },
    },
    {
      name: "blocks are one message",
      format: "slack-block-kit",
      sent: { messages: [SECTION, { type: "divider" }] },
      report: { messages: [{ blocks: [SECTION, { type: "divider" }] }] },
    },
    {
      name: "lists of blocks are a message each",
      format: "slack-block-kit",
      sent: { messages: [[SECTION], [{ type: "divider" }]] },
      report: { messages: [{ blocks: [SECTION] }, { blocks: [{ type: "divider" }] }] },
    },
    {
      name: "messages in the field of text",
      format: "slack-block-kit",
      sent: { content: JSON.stringify([{ blocks: [SECTION] }]) },
      report: { messages: [{ blocks: [SECTION] }] },
    },
    {
      name: "messages in the field of JSON",
      format: "slack-block-kit",
      sent: { content_json: { messages: [{ blocks: [SECTION] }] } },
      report: { messages: [{ blocks: [SECTION] }] },
    },
    {
      name: "blocks beside the format",
      format: "slack-block-kit",
      sent: { format: "slack-block-kit", blocks: [SECTION] },
      report: { messages: [{ blocks: [SECTION] }] },
    },

    {
      name: "a sub-agent's text",
      format: "sub-agent",
      sent: { content: '{"any": thing' },
      report: { content: '{"any": thing' },
    },
    {
      name: "a sub-agent's empty text",
      format: "sub-agent",
      sent: { content: "" },
      report: { content: "" },
    },
    {
      name: "a sub-agent's answer in the field of messages",
      format: "sub-agent",
      sent: { messages: ["Paris", "Rome"] },
      report: { content: '["Paris","Rome"]' },
    },
    {
      name: "a sub-agent's object",
      format: "sub-agent",
      sent: { content_json: { a: [1] } },
      report: { content: '{"a":[1]}' },
    },
  ];

  test.each(rows)("$format: $name", ({ format, sent, schema, report }) => {
    const options = { format, clock: () => 7, ...(schema && { outputSchema: schema }) };
    expect(normalizeReport(sent, options)).toEqual({
      status: "ok",
      report: { status: "success", format, ts: 7, ...report },
    });
  });
});

describe("a report that is refused", () => {
  const framed = (...lines: readonly string[]): string =>
    [
      "Validation failed for tool 'agent__final_report' (attempt 1/2):",
      "",
      "Errors:",
      ...lines,
      "",
      // A missing value may not be known.
      "Correct these and call 'agent__final_report' again with all arguments." +
        (lines.some((line) => line.includes("(VAL-001)"))
          ? " If you do not know a value, ask the user."
          : ""),
    ].join("\n");

  const rows: readonly (Omit<Row, "report"> & { readonly reason: string })[] = [
    {
      name: "no content",
      format: "markdown",
      sent: { format: "markdown" },
      reason: framed(
        "• /content (VAL-001): Required field 'content' is missing",
        "  Expected: string, at least 1 character",
      ),
    },
    {
      name: "blank content",
      format: "text",
      sent: { content: " \n" },
      reason: framed(
        "• /content (VAL-009): String length 0 is below minimum 1",
        "  Expected: string, at least 1 character",
        '  Actual: ""',
      ),
    },
    {
      name: "content that is a number",
      format: "text",
      sent: { content: 42 },
      reason: framed(
        "• /content (VAL-002): Type mismatch: expected string, got integer",
        "  Expected: string, at least 1 character",
        "  Actual: 42",
        '  Hint: use "42"',
      ),
    },
    {
      name: "an object in the field of JSON",
      format: "markdown",
      sent: { content_json: { city: "Paris" } },
      reason: framed(
        "• /content (VAL-001): Required field 'content' is missing",
        "  Expected: string, at least 1 character",
        "• /content_json (VAL-005): Unknown field 'content_json'",
        "  Expected: only content",
      ),
    },
    {
      name: "another name for the field",
      format: "markdown",
      sent: { report_content: "# Paris" },
      reason: framed(
        "• /report_content (VAL-005): Unknown field 'report_content'",
        "  Expected: only content",
        '  Hint: rename it to "content"',
      ),
    },
    {
      name: "no JSON at all",
      format: "markdown",
      sent: "the answer is Paris",
      reason: framed(
        "• (arguments) (VAL-004): Invalid JSON at position 0 (line 1, column 1): >>>the answer is Pa...",
        "  Expected: one JSON object",
        "  Hint: send only the JSON object",
      ),
    },
    {
      name: "JSON that the schema does not accept",
      format: "json",
      schema: BUG,
      sent: { content_json: { title: 1 } },
      reason: framed(
        "• /content_json/title (VAL-002): Type mismatch: expected string, got integer",
        "  Expected: string",
        "  Actual: 1",
        '  Hint: use "1"',
      ),
    },
    {
      name: "text where JSON is expected",
      format: "json",
      sent: { content: "Paris" },
      reason: framed(
        "• /content (VAL-005): Unknown field 'content'",
        "  Expected: only content_json",
        "• /content_json (VAL-001): Required field 'content_json' is missing",
        "  Expected: object or array (The whole answer, as a JSON object)",
      ),
    },
    {
      name: "text where messages are expected",
      format: "slack-block-kit",
      sent: { messages: "Paris" },
      reason: framed(
        "• /messages (VAL-002): Type mismatch: expected array, got string",
        "  Expected: array of object, at least 1 item",
        '  Actual: "Paris"',
      ),
    },
    {
      name: "no messages",
      format: "slack-block-kit",
      sent: { messages: [] },
      reason: framed(
        "• /messages (VAL-006): Array length 0 is below minimum 1",
        "  Expected: array of object, at least 1 item",
        "  Actual: []",
      ),
    },
    {
      name: "no base64",
      format: "text",
      sent: { content: "Paris!", encoding: "base64" },
      reason: "(tool failed: 'content' is not base64 of UTF-8 text: send it raw)",
    },
    {
      name: "a data URL",
      format: "text",
      sent: { content: `data:text/plain;base64,${base64("Paris")}`, encoding: "base64" },
      reason: "(tool failed: 'content' is not base64 of UTF-8 text: send it raw)",
    },
    {
      name: "base64 of no UTF-8",
      format: "text",
      sent: { content: "/w==", encoding: "base64" },
      reason: "(tool failed: 'content' is not base64 of UTF-8 text: send it raw)",
    },
    {
      name: "an unknown encoding",
      format: "text",
      sent: { content: "Paris", encoding: "gzip" },
      reason: `(tool failed: 'content' has an unknown encoding: use "raw" or "base64")`,
    },
  ];

  test.each(rows)("$format: $name", ({ format, sent, schema, reason }) => {
    const events: SessionEvent[] = [];
    const onEvent = (event: SessionEvent): void => void events.push(event);
    const options = { format, onEvent, ...(schema && { outputSchema: schema }) };
    expect(normalizeReport(sent, options)).toEqual({ status: "invalid", reason });
    const payload = typeof sent === "string" ? sent : JSON.stringify(sent);
    expect(events).toEqual([{ type: "report-failed", payload, reason }]);
  });

  test("the event has the whole payload", () => {
    const events: SessionEvent[] = [];
    const sent = { content_json: { title: 1, body: "x".repeat(100_000) } };
    const onEvent = (event: SessionEvent): void => void events.push(event);
    normalizeReport(sent, { format: "json", outputSchema: BUG, onEvent });
    expect(events).toMatchObject([{ payload: JSON.stringify(sent) }]);
  });
});

describe("a format that is not the session's", () => {
  test.each([
    [undefined, undefined],
    ["json", "json"],
    ["Markdown", "Markdown"],
    ["mark\ndown", "mark down"],
    ["x".repeat(100), "x".repeat(64)],
    ["sk-proj-Ab12Cd34Ef56Gh78Ij90Kl12", "[redacted]"],
    [42, undefined],
    [null, undefined],
  ])("%j is reported and changes nothing", (format, given) => {
    const events: SessionEvent[] = [];
    const onEvent = (event: SessionEvent): void => void events.push(event);
    const result = normalizeReport({ format, content: "Paris" }, { format: "markdown", onEvent });
    expect(result).toMatchObject({
      status: "ok",
      report: { format: "markdown", content: "Paris" },
    });
    expect(events).toEqual([{ type: "report-normalized", given, expected: "markdown" }]);
  });

  test("the session's own is not reported", () => {
    const events: SessionEvent[] = [];
    const onEvent = (event: SessionEvent): void => void events.push(event);
    normalizeReport({ format: "text", content: "Paris" }, { format: "text", onEvent });
    expect(events).toEqual([]);
  });

  test("an observer that throws changes nothing", () => {
    const onEvent = (): never => {
      throw new Error("disk full");
    };
    const options: ReportOptions = { format: "text", onEvent };
    expect(normalizeReport({ content: "Paris" }, options)).toMatchObject({ status: "ok" });
    expect(normalizeReport({}, options)).toMatchObject({ status: "invalid" });
  });
});

describe("a validator of your own", () => {
  test("gets the content field in an object, and its words are the reason", () => {
    const seen: unknown[] = [];
    const validate = (value: unknown, schema: unknown): string => {
      seen.push(value, schema);
      return "the title is too long";
    };
    const sent = { format: "json", content_json: { title: "t" }, metadata: {} };
    expect(normalizeReport(sent, { format: "json", outputSchema: BUG, validate })).toEqual({
      status: "invalid",
      reason: "the title is too long",
    });
    expect(seen).toEqual([
      { content_json: { title: "t" } },
      expect.objectContaining({ required: ["content_json"], additionalProperties: false }),
    ]);
  });

  test.each([
    ["markdown", { content: 42 }, "content"],
    ["slack-block-kit", { messages: "Paris" }, "messages"],
    ["json", {}, "content_json"],
  ] as const)("that accepts everything makes no %s report of %j", (format, sent, field) => {
    const result = normalizeReport(sent, { format, validate: () => undefined });
    expect(result).toEqual({
      status: "invalid",
      reason: `(tool failed: '${field}' is missing or has a wrong type)`,
    });
  });
});
