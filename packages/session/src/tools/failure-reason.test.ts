import { expect, test } from "vitest";
import { failureReason } from "./index.ts";

class NotFoundError extends Error {
  override name = "NotFoundError";
}

const hostile = {
  get message(): string {
    throw new Error("no");
  },
  error: "readable",
};

test.each([
  ["an error", new Error("DB down"), "DB down"],
  ["a string", "rate limited", "rate limited"],
  ["a number", 404, "404"],
  ["an object with a message", { code: 1, message: "no such row" }, "no such row"],
  ["the body of an API", { error: { message: "bad key" } }, "bad key"],
  ["an object with an error", { error: "bad key" }, "bad key"],
  ["several lines", new Error("first\n  second\tthird"), "first second third"],
  ["a secret", new Error("token=hunter2secret refused"), "token=[redacted] refused"],
  ["no message but a class", new NotFoundError(), "NotFoundError"],
  ["no message", new Error(""), "the tool failed"],
  ["a blank message", { message: "  " }, "the tool failed"],
  ["a getter that throws", hostile, "readable"],
  ["a revoked proxy", revoked(), "the tool failed"],
  ["undefined", undefined, "the tool failed"],
  ["null", null, "the tool failed"],
  ["a symbol", Symbol("x"), "the tool failed"],
  ["a function", () => "x", "the tool failed"],
])("%s", (_, thrown, reason) => {
  expect(failureReason(thrown)).toBe(reason);
});

test("a long message is cut", () => {
  expect(failureReason(new Error("x".repeat(1_000_000)))).toHaveLength(300);
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
