import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FinalReport, ReportFormat } from "../shared/index.ts";
import { normalizeReport, reportFromText } from "./index.ts";

const FORMATS: readonly ReportFormat[] = [
  "markdown",
  "text",
  "json",
  "slack-block-kit",
  "sub-agent",
];
const FIELDS = {
  markdown: "content",
  text: "content",
  json: "content_json",
  "slack-block-kit": "messages",
  "sub-agent": "content",
} as const;

const json = fc.jsonValue({ maxDepth: 3 });
/** JSON, or JSON in a string, up to three times. */
const nested = fc.tuple(json, fc.nat(3)).map(([value, rounds]) => {
  let sent: unknown = value;
  for (let round = 0; round < rounds; round += 1) sent = JSON.stringify(sent);
  return sent;
});
const call = fc.record(
  {
    format: fc.oneof(fc.constantFrom(...FORMATS), json),
    encoding: fc.oneof(fc.constantFrom("raw", "base64"), json),
    content: fc.oneof(nested, fc.base64String()),
    content_json: nested,
    messages: nested,
    metadata: nested,
  },
  { requiredKeys: [] },
);
const options = { format: fc.constantFrom(...FORMATS) };

function expectClean(report: FinalReport, format: ReportFormat): void {
  const field = FIELDS[format];
  const { status, ts, metadata, ...rest } = report;
  expect(status).toBe("success");
  expect(ts).toBe(7);
  expect(Object.keys(rest).toSorted()).toEqual([field, "format"].toSorted());
  expect(rest.format).toBe(format);
  if (field === "content") expect(rest.content).toBeTypeOf("string");
  if (field === "messages") expect(Array.isArray(rest.messages)).toBe(true);
  if (metadata !== undefined) expect(metadata).toBeTypeOf("object");
  expect(JSON.parse(JSON.stringify(report))).toEqual(withOneZero(report));
}

/** JSON.stringify writes -0 as 0. */
function withOneZero(value: unknown): unknown {
  if (Object.is(value, -0)) return 0;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withOneZero);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withOneZero(one)]));
}

describe("for any arguments of a call", () => {
  test("a report has the session's format, its one content field and nothing else", () => {
    fc.assert(
      fc.property(fc.oneof(call, nested), options.format, (args, format) => {
        const result = normalizeReport(args, { format, clock: () => 7 });
        if (result.status === "ok") expectClean(result.report, format);
        else expect(result.reason).not.toBe("");
      }),
      { numRuns: 1_000 },
    );
  });

  test("values that are no JSON do not throw either", () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
        options.format,
        (args, format) => {
          expect(["ok", "invalid"]).toContain(normalizeReport(args, { format }).status);
          expect(["ok", "invalid"]).toContain(
            normalizeReport({ content: args, content_json: args, messages: args }, { format })
              .status,
          );
        },
      ),
    );
  });
});

test("any text is a clean report or none", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    json.map((value) => JSON.stringify(value)),
  );
  fc.assert(
    fc.property(text, options.format, (written, format) => {
      const report = reportFromText(written, { format, clock: () => 7 });
      if (report === undefined) expect(written.trim() === "" || format === "json").toBe(true);
      else expectClean(report, format);
    }),
    { numRuns: 500 },
  );
});

test("text comes through base64 and JSON unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (text) => {
      fc.pre(text.trim() !== "");
      const content = Buffer.from(text).toString("base64");
      const args = JSON.stringify({ format: "sub-agent", content, encoding: "base64" });
      expect(normalizeReport(args, { format: "sub-agent" })).toMatchObject({
        report: { content: text },
      });
    }),
  );
});

test("JSON that the schema accepts is taken as it is", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), json), (value) => {
      const outputSchema = { type: "object" };
      const sent = { format: "json", content_json: value };
      const result = normalizeReport(sent, { format: "json", outputSchema });
      expect(result).toMatchObject({ status: "ok" });
      expect(result.status === "ok" && result.report.content_json).toEqual(value);
    }),
  );
});
