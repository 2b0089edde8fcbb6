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
