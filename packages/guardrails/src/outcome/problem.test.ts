import { describe, expect, test } from "vitest";
import type { Classification } from "../shared/index.ts";
import { adaptive, classOf, extrinsic, failureOf } from "../testing/index.ts";

describe("RFC 9457", () => {
  const problem = {
    type: "https://example.com/probs/out-of-credit",
    title: "You do not have enough credit.",
    status: 409,
    detail: "Your balance is 30, but that costs 50.",
  };
  const asError = (fields: object): Error =>
    Object.assign(new Error("Request failed with status code 409"), fields);

  test.each<readonly [string, unknown]>([
    ["thrown", problem],
    ["as the body", asError({ body: problem })],
    ["as data", asError({ data: problem })],
    ["as the response's data", asError({ status: 409, response: { status: 409, data: problem } })],
    ["as the body's text", asError({ body: JSON.stringify(problem) })],
    ["as the response's text", asError({ responseBody: JSON.stringify(problem) })],
    ["as a cause", new Error("could not order", { cause: asError({ body: problem }) })],
  ])("a problem %s", (_, error) => {
    expect(classOf(error)).toEqual(adaptive("out-of-credit"));
  });

  test.each<readonly [string, unknown, Classification]>([
    ["without a type", { title: "Gone", status: 410 }, adaptive("http_410")],
    ["of no type", { type: "about:blank", title: "Busy", status: 503 }, extrinsic("http_503")],
    [
      "with a URN",
      { type: "urn:problem:shop:soldOut", title: "No", status: 409 },
      adaptive("soldOut"),
    ],
    [
      "with a fragment",
      { type: "/problems#sold-out", detail: "No", status: 409 },
      adaptive("sold-out"),
    ],
    [
      "with an address as its last part",
      { type: "https://example.com/a%20b", title: "No", status: 400 },
      adaptive("http_400"),
    ],
    [
      "that needs credentials",
      { type: "https://example.com/probs/no-key", title: "No", status: 401 },
      { ...extrinsic("no-key"), terminal: "missing_credentials" },
    ],
    [
      "whose status is that of the response",
      asError({ status: 422, body: { type: "https://example.com/bad-sku", title: "Bad" } }),
      adaptive("bad-sku"),
    ],
  ])("a problem %s", (_, error, expected) => {
    expect(classOf(error)).toEqual(expected);
  });

  test("the message is the problem's detail, or its title", () => {
    expect(failureOf(asError({ body: problem }))).toMatchObject({
      message: "Your balance is 30, but that costs 50.",
    });
    expect(failureOf({ title: "Gone", status: 410 })).toMatchObject({ message: "Gone" });
  });

  test.each<readonly [string, unknown]>([
    ["a type alone", { type: "error" }],
    ["a library's own type", { type: "invalid_request_error", message: "no" }],
    ["a status that is none", { title: "ok", status: 200 }],
    ["text that is not JSON", asError({ body: "{ title: 'x', status: 409 }" })],
    [
      "a body that is too long",
      asError({ body: `{"title":"${"x".repeat(70_000)}","status":409}` }),
    ],
  ])("%s is not a problem", (_, error) => {
    expect(classOf(error)?.class).toBe("adaptive");
    expect(classOf(error)?.error_type).toMatch(/^(?:error|Error)$/);
  });
});
