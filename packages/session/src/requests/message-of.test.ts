import { expect, test } from "vitest";
import { messageOf } from "./message-of.ts";

const cyclic = new Error("outer");
cyclic.cause = new Error("inner", { cause: cyclic });

test.each<readonly [string, unknown, string]>([
  ["an error", new Error("boom"), "boom"],
  ["a string", "boom", "boom"],
  ["several lines", new Error("one\n  two\r\nthree"), "one two three"],
  [
    "a cause that says more",
    new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 127.0.0.1:443") }),
    "fetch failed: connect ECONNREFUSED 127.0.0.1:443",
  ],
  [
    "the innermost of several causes",
    new Error("a", { cause: new Error("b", { cause: "c" }) }),
    "a: c",
  ],
  [
    "a cause that is quoted already",
    new Error("Cannot connect: no route", { cause: new Error("no route") }),
    "Cannot connect: no route",
  ],
  ["causes in a circle", cyclic, "outer: inner"],
  ["no message, but a cause", new Error("", { cause: new Error("boom") }), "boom"],
  ["several errors", new AggregateError([new Error("first"), new Error("second")]), "first"],
  ["an object", { message: "boom" }, "boom"],
  ["the error in a body", { error: { message: "boom" } }, "boom"],
  ["the error in a body as a string", { error: "boom" }, "boom"],
  ["a body alone", { responseBody: '{"detail":"boom"}' }, '{"detail":"boom"}'],
  ["a status alone", { statusCode: 401 }, "HTTP status 401"],
  ["a blank message", new Error(" "), "unknown error"],
  ["an object without words", { a: 1 }, "unknown error"],
  ["nothing", undefined, "unknown error"],
  ["null", null, "unknown error"],
  ["a number", 42, "unknown error"],
  [
    "a key",
    "Incorrect API key provided: sk-proj-abcdefghijklmnop1234",
    "Incorrect API key provided: [redacted]",
  ],
  [
    "a key in a cause",
    new Error("no", { cause: new Error("Bearer abcdefgh12345678ijkl") }),
    "no: Bearer [redacted]",
  ],
  [
    "a cause that says the same, with a key in both",
    new Error("Incorrect API key provided: sk-proj-abcdefghijklmnop1234", {
      cause: new Error("Incorrect API key provided: sk-proj-abcdefghijklmnop1234"),
    }),
    "Incorrect API key provided: [redacted]",
  ],
  ["a megabyte", "x".repeat(1_000_000), `${"x".repeat(297)}...`],
])("%s", (_, error, message) => {
  expect(messageOf(error)).toBe(message);
});

test("the prompt in an SDK's error is not shown", () => {
  expect(messageOf({ requestBodyValues: { prompt: "secret plan" }, statusCode: 500 })).toBe(
    "HTTP status 500",
  );
});
