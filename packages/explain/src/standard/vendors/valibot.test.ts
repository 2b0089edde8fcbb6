import * as v from "valibot";
import { expect, test } from "vitest";
import { inWords } from "../../testing/in-words.ts";
import { validateStandard } from "../validate-standard.ts";

const text = v.string();
const number = v.number();
const list = v.array(number);
const record = v.record(text, number);
// It leaves out other fields.
const known = v.object({ a: number });
const two = { a: 1, b: 2 };

test.each<[string, v.GenericSchema, unknown, string]>([
  ["minLength", v.pipe(text, v.minLength(2)), "a", "VAL-009 string, at least 2 characters"],
  ["maxLength", v.pipe(text, v.maxLength(2)), "abc", "VAL-009 string, at most 2 characters"],
  ["length", v.pipe(text, v.length(2)), "a", "VAL-009 string, 2 characters"],
  ["nonEmpty", v.pipe(text, v.nonEmpty()), "", "VAL-009 string, at least 1 character"],
  [
    "minCodePoints",
    v.pipe(text, v.minCodePoints(2)),
    "🚀",
    "VAL-009 string, at least 2 characters",
  ],
  ["maxCodePoints", v.pipe(text, v.maxCodePoints(1)), "ab", "VAL-009 string, at most 1 character"],
  ["codePoints", v.pipe(text, v.codePoints(2)), "a", "VAL-009 string, 2 characters"],
  ["minLength of a list", v.pipe(list, v.minLength(2)), [1], "VAL-006 array, at least 2 items"],
  ["maxLength of a list", v.pipe(list, v.maxLength(1)), [1, 2], "VAL-006 array, at most 1 item"],
  ["length of a list", v.pipe(list, v.length(2)), [1], "VAL-006 array, 2 items"],
  ["nonEmpty of a list", v.pipe(list, v.nonEmpty()), [], "VAL-006 array, at least 1 item"],
  ["minEntries", v.pipe(record, v.minEntries(2)), { a: 1 }, "VAL-003 object, at least 2 fields"],
  ["maxEntries", v.pipe(record, v.maxEntries(1)), two, "VAL-003 object, at most 1 field"],
  ["entries, too few", v.pipe(record, v.entries(3)), two, "VAL-003 object, at least 3 fields"],
  ["entries, too many", v.pipe(record, v.entries(1)), two, "VAL-003 object, at most 1 field"],
  [
    "minEntries of known fields",
    v.pipe(known, v.minEntries(2)),
    { ...two, c: 3 },
    "VAL-003 object, at least 2 fields",
  ],
  [
    "entries of known fields",
    v.pipe(known, v.entries(2)),
    two,
    "VAL-003 object, at least 2 fields",
  ],
  ["minValue", v.pipe(number, v.minValue(2)), 1, "VAL-003 number at least 2"],
  ["maxValue", v.pipe(number, v.maxValue(2)), 3, "VAL-003 number at most 2"],
  ["value", v.pipe(number, v.value(2)), 3, "VAL-003 number 2"],
  ["gtValue", v.pipe(number, v.gtValue(2)), 2, "VAL-003 number above 2"],
  ["ltValue", v.pipe(number, v.ltValue(2)), 2, "VAL-003 number below 2"],
  ["multipleOf", v.pipe(number, v.multipleOf(2)), 3, "VAL-003 number, a multiple of 2"],
  ["integer", v.pipe(number, v.integer()), 1.5, "VAL-002 integer"],
  ["safeInteger", v.pipe(number, v.safeInteger()), 1.5, "VAL-002 integer"],
  ["values", v.pipe(number, v.values([1, 2])), 3, "VAL-008 one of 1, 2"],
  ["values of a string", v.pipe(text, v.values(["a", "b"])), "c", 'VAL-008 one of "a", "b"'],
  ["regex", v.pipe(text, v.regex(/^a/)), "c", "VAL-007 string matching ^a"],
  ["startsWith", v.pipe(text, v.startsWith("a.")), "c", String.raw`VAL-007 string matching ^a\.`],
  ["endsWith", v.pipe(text, v.endsWith("a.")), "c", String.raw`VAL-007 string matching a\.$`],
  ["includes", v.pipe(text, v.includes("a.")), "c", String.raw`VAL-007 string matching a\.`],
  ["email", v.pipe(text, v.email()), "x", 'VAL-010 email string such as "ana@example.com"'],
  ["rfcEmail", v.pipe(text, v.rfcEmail()), "x", 'VAL-010 email string such as "ana@example.com"'],
  ["url", v.pipe(text, v.url()), "x", 'VAL-010 uri string such as "https://example.com/page"'],
  ["uuid", v.pipe(text, v.uuid()), "x", "VAL-010 uuid string"],
  ["ipv4", v.pipe(text, v.ipv4()), "x", 'VAL-010 ipv4 string such as "192.0.2.1"'],
  ["ipv6", v.pipe(text, v.ipv6()), "x", 'VAL-010 ipv6 string such as "2001:db8::1"'],
  ["ip", v.pipe(text, v.ip()), "x", "VAL-010 string in IP address format"],
  ["isoDate", v.pipe(text, v.isoDate()), "x", 'VAL-010 date string such as "2026-01-31"'],
  [
    "isoTimestamp",
    v.pipe(text, v.isoTimestamp()),
    "x",
    'VAL-010 date-time string such as "2026-01-31T09:30:00Z"',
  ],
  ["isoDateTime", v.pipe(text, v.isoDateTime()), "x", "VAL-010 string in YYYY-MM-DDTHH:MM format"],
  [
    "isoDateTimeSecond",
    v.pipe(text, v.isoDateTimeSecond()),
    "x",
    "VAL-010 string in YYYY-MM-DDTHH:MM:SS format",
  ],
  ["isoTime", v.pipe(text, v.isoTime()), "x", "VAL-010 string in HH:MM format"],
  ["isoTimeSecond", v.pipe(text, v.isoTimeSecond()), "x", "VAL-010 string in HH:MM:SS format"],
  ["isoWeek", v.pipe(text, v.isoWeek()), "x", "VAL-010 string in YYYY-Www format"],
  ["date", v.date(), "x", 'VAL-010 date-time string such as "2026-01-31T09:30:00Z"'],
  ["hexColor", v.pipe(text, v.hexColor()), "x", "VAL-010 string in hex-color format"],
  [
    "check",
    v.pipe(
      text,
      v.check(() => false, "must be free"),
    ),
    "x",
    "VAL-016 must be free",
  ],
  ["maxBytes", v.pipe(text, v.maxBytes(2, "too long")), "abc", "VAL-016 too long"],
])("without a JSON Schema, %s is written from its issue alone", (_, validator, input, finding) => {
  const verdict = validateStandard(validator, input, () => undefined);
  const findings = "then" in verdict || verdict.ok ? [] : verdict.findings.map(inWords);
  expect(findings.map(({ code, expected, message }) => `${code} ${expected ?? message}`)).toEqual([
    finding,
  ]);
});
