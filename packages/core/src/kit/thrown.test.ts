import { expect, test } from "vitest";
import { causeChain, causesOf, failureFacts, headerOf, partsOf, retryAfterIn } from "./index.ts";

const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
const both = new AggregateError([refused, { code: "not an error" }], "all failed");
const outer = new TypeError("fetch failed", { cause: both });

test("an error is read with what caused it, nearest first", () => {
  expect(causeChain(outer)).toEqual([outer, both]);
  expect(causesOf(outer)).toEqual([outer, both, refused]);
  const cycle = new Error("a");
  cycle.cause = cycle;
  expect(causesOf(cycle)).toEqual([cycle]);
});

test("parts are also what SDKs wrap: the last error, the response, the body", () => {
  const body = { error: { type: "overloaded_error" } };
  const wrapped = { lastError: { response: { status: 529 }, data: body } };
  expect(partsOf(wrapped)).toContain(body.error);
  expect(failureFacts(wrapped)).toMatchObject({
    status: 529,
    codes: new Set(["overloadederror"]),
  });
});

test("nothing that can be thrown makes the readers throw", () => {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  const getter = Object.defineProperty({}, "cause", {
    get() {
      throw new Error("no");
    },
  });
  for (const thrown of [proxy, getter, { errors: proxy }, null, undefined, 5, Symbol("x")]) {
    expect(causesOf(thrown)[0]).toBe(thrown);
    expect(failureFacts(thrown).text).toBe("");
    expect(retryAfterIn([thrown, { headers: thrown }], 0)).toBeUndefined();
  }
});

test.each([
  ["Headers", new Headers({ "Retry-After": "7" })],
  ["a record in any case", { "RETRY-After": "7" }],
  ["a list", { "retry-after": ["7", "9"] }],
  ["an object with get", { get: (name: string) => (name === "retry-after" ? "7" : null) }],
])("a header is read from %s", (_, headers) => {
  expect(headerOf(headers, "retry-after")).toBe("7");
  expect(retryAfterIn([{ headers }], 0)).toBe(7_000);
});

const NOW = Date.parse("2026-01-31T09:30:00Z");

test.each<[name: string, value: unknown, wait: number | undefined]>([
  ["retry-after", "7", 7_000],
  ["retry-after", " 1.5 ", 1_500],
  ["retry-after", 0, 0],
  ["retry-after", 2, 2_000],
  ["retry-after", -1, undefined],
  ["retry-after", Number.POSITIVE_INFINITY, undefined],
  ["retry-after", "", undefined],
  ["retry-after", "0x10", undefined],
  ["retry-after", "soon 1", undefined],
  ["retry-after-ms", "250", 250],
  ["retry-after", "Sat, 31 Jan 2026 09:30:05 GMT", 5_000],
  ["retry-after", "Saturday, 31-Jan-26 09:30:05 GMT", 5_000],
  ["retry-after", "Sat Jan 31 09:30:05 2026", 5_000],
  ["retry-after", "2026-01-31T09:30:05Z", 5_000],
  ["retry-after", "2026-01-31T10:30:05+01:00", 5_000],
  ["retry-after", "Sat, 31 Jan 2026 09:29:00 GMT", 0],
  ["retry-after", "Sat, 99 Jan 2026 09:30:05 GMT", undefined],
  ["retry-after", `Sat, 31 Jan 2026 09:30:05 GMT${" ".repeat(64)}`, undefined],
])("of %s: %j, the wait is %j", (name, value, wait) => {
  expect(retryAfterIn([{ headers: { [name]: value } }], NOW)).toBe(wait);
  expect(retryAfterIn([{}, { responseHeaders: { [name]: value } }], NOW)).toBe(wait);
});

test("milliseconds come before seconds, and the first part that says it before the others", () => {
  const headers = { "retry-after": "7", "retry-after-ms": "250" };
  expect(retryAfterIn([{ headers }, { headers: { "retry-after-ms": "1" } }], NOW)).toBe(250);
});
