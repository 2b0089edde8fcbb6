import { describe, expect, test } from "vitest";
import type { ReportFormat } from "../shared/index.ts";
import { failureReport, reportFromText } from "./index.ts";
import { readMessages } from "./slack-messages.ts";

const CITY = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const section = (text: string): object => ({ type: "section", text: { type: "mrkdwn", text } });

interface Row {
  readonly name: string;
  readonly format: ReportFormat;
  readonly text: string;
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Undefined if the text is not a report. */
  readonly report: object | undefined;
}

const rows: readonly Row[] = [
  { name: "text", format: "markdown", text: "# Paris\n", report: { content: "# Paris\n" } },
  { name: "blank text", format: "markdown", text: " \n", report: undefined },
  {
    name: "JSON in a text format",
    format: "text",
    text: '{"city":"Paris"}',
    report: { content: '{"city":"Paris"}' },
  },
  {
    name: "the tool's arguments",
    format: "markdown",
    text: '```json\n{"format":"markdown","content":"# Paris"}\n```',
    report: { content: "# Paris" },
  },
  {
    name: "the tool's arguments with metadata",
    format: "text",
    text: '{"format":"html","content":"Paris","metadata":{"a":1}}',
    report: { content: "Paris", metadata: { a: 1 } },
  },
  {
    name: "JSON",
    format: "json",
    text: '{"city":"Paris"}',
    report: { content_json: { city: "Paris" } },
  },
  {
    name: "JSON in a sentence",
    format: "json",
    text: 'Here it is:\n```json\n{"city":"Paris",}\n```',
    report: { content_json: { city: "Paris" } },
  },
  {
    name: "the tool's arguments in JSON",
    format: "json",
    text: '{"format":"json","content_json":{"city":"Paris"}}',
    report: { content_json: { city: "Paris" } },
  },
  { name: "a list", format: "json", text: "[1,2]", report: { content_json: [1, 2] } },
  {
    name: "a sentence with a list",
    format: "json",
    text: "as said before, see [1] there",
    report: undefined,
  },
  { name: "a sentence", format: "json", text: "Paris", report: undefined },
  { name: "a number", format: "json", text: "42", report: undefined },
  { name: "two objects", format: "json", text: '{"a":1} or {"b":2}', report: undefined },
  { name: "JSON that ends early", format: "json", text: '{"city":"Par', report: undefined },
  {
    name: "JSON that the schema accepts",
    format: "json",
    schema: CITY,
    text: '{"city":"Paris"}',
    report: { content_json: { city: "Paris" } },
  },
  {
    name: "JSON that the schema does not accept",
    format: "json",
    schema: CITY,
    text: '{"town":"Paris"}',
    report: undefined,
  },
  {
    name: "messages",
    format: "slack-block-kit",
    text: '[{"blocks":[{"type":"divider"}]}]',
    report: { messages: [{ blocks: [{ type: "divider" }] }] },
  },
  {
    name: "a sentence",
    format: "slack-block-kit",
    text: "*Paris*",
    report: { messages: [{ blocks: [section("*Paris*")] }] },
  },
  {
    name: "other JSON",
    format: "slack-block-kit",
    text: '{"city":"Paris"}',
    report: { messages: [{ blocks: [section('{"city":"Paris"}')] }] },
  },
  {
    name: "any text",
    format: "sub-agent",
    text: '{"format":"x","content":"y"}',
    report: { content: '{"format":"x","content":"y"}' },
  },
];

test.each(rows)("$format from $name: $text", ({ format, text, schema, report }) => {
  const options = { format, clock: () => 7, ...(schema && { outputSchema: schema }) };
  expect(reportFromText(text, options)).toEqual(
    report && { status: "success", format, ts: 7, ...report },
  );
});

test("a text that is not a report is not a failure of the tool", () => {
  const events: unknown[] = [];
  reportFromText("Paris", { format: "json", onEvent: (event) => events.push(event) });
  expect(events).toEqual([]);
});

describe("long text in Slack's limits", () => {
  const messagesOf = (
    text: string,
  ): readonly { readonly blocks: readonly { readonly text: { readonly text: string } }[] }[] =>
    (reportFromText(text, { format: "slack-block-kit" })?.messages ?? []) as never;
  const sectionsOf = (text: string): readonly string[] =>
    messagesOf(text).flatMap(({ blocks }) => blocks.map((block) => block.text.text));

  test.each([
    ["at the last line feed that fits", `${"a".repeat(2_990)}\n${"b".repeat(100)}`, [2_991, 100]],
    ["without a line feed", "a".repeat(6_001), [3_000, 3_000, 1]],
    ["as long as a section may be", `a\n${"b".repeat(2_998)}`, [3_000]],
    ["between two characters", `${"a".repeat(2_999)}😀b`, [2_999, 3]],
  ])("is divided %s", (_, text, lengths) => {
    expect(sectionsOf(text).map((part) => part.length)).toEqual(lengths);
    expect(sectionsOf(text).join("")).toBe(text);
  });

  test("has at most 50 blocks in a message", () => {
    const text = "a".repeat(3_000 * 51);
    expect(messagesOf(text).map(({ blocks }) => blocks.length)).toEqual([50, 1]);
  });
});

describe("the report of a run without one", () => {
  const TURNS = "The run ended without a final report: the maximum number of turns was reached.";
  test.each([
    ["max_turns_exhausted", "markdown", { content: TURNS }],
    [
      "max_turns_exhausted",
      "json",
      { content_json: { error: TURNS, reason: "max_turns_exhausted" } },
    ],
    ["max_turns_exhausted", "slack-block-kit", { messages: [{ blocks: [section(TURNS)] }] }],
    [
      "context_window_exceeded",
      "text",
      { content: "The run ended without a final report: the context window was exceeded." },
    ],
    [
      "attempts_exhausted",
      "sub-agent",
      { content: "The run ended without a final report: all attempts of a turn failed." },
    ],
    [
      "no_answer",
      "markdown",
      { content: "The run ended without a final report: the model gave no answer." },
    ],
    [
      "budget_exhausted",
      "text",
      { content: "The run ended without a final report: its budget was used up." },
    ],
    [
      "no_progress",
      "text",
      {
        content:
          "The run ended without a final report: the same call had the same result again and again.",
      },
    ],
  ] as const)("%s as %s", (reason, format, content) => {
    expect(failureReport(reason, { format, clock: () => 7 })).toEqual({
      status: "failure",
      format,
      ts: 7,
      ...content,
      metadata: { reason },
    });
  });

  test("with a detail", () => {
    const { content } = failureReport("attempts_exhausted", {
      format: "text",
      detail: "Last: timeout.",
    });
    expect(content).toBe(
      "The run ended without a final report: all attempts of a turn failed. Last: timeout.",
    );
  });
});

test.each([[[]], [[[]]], [[{ type: "section" }, []]], [{ blocks: 1 }], [{}], ["x"], [[1]]])(
  "%j holds no messages of Slack",
  (sent) => {
    expect(readMessages(sent)).toBeUndefined();
  },
);
