import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { isEventStream, readHead, withLength, withLocation } from "./response-head.ts";

function headOf(rawHeaders: readonly string[]) {
  return readHead({ rawHeaders, statusCode: 200 } as unknown as IncomingMessage);
}

describe("a response's head", () => {
  test("loses what is of one connection, and what Connection names, whatever that is", () => {
    const pairs = [
      ["Connection", "x-hop, Content-Type"],
      ["X-Hop", "1"],
      ["Content-Type", "application/json"],
      ["Keep-Alive", "timeout=5"],
      ["TRANSFER-ENCODING", "chunked"],
      ["X-Own", "2"],
      ["X-own", "3"],
    ];
    const head = headOf(pairs.flat());
    expect(head).toEqual({
      status: 200,
      list: ["X-Own", "2", "X-own", "3"],
      form: "other",
      isCoded: false,
      location: undefined,
      keepAlive: "timeout=5",
    });
  });

  test.each([
    [["Content-Type", "application/json; charset=utf-8"], { form: "json", isCoded: false }],
    [["content-type", "TEXT/event-stream"], { form: "events" }],
    [["content-type", "text/plain", "Content-Type", "application/json"], { form: "other" }],
    [["Content-Encoding", "gzip", "Content-Type", "application/json"], { isCoded: true }],
    [["LOCATION", "/a", "Location", "/b"], { location: "/a", form: "other" }],
  ])("%j is read", (raw, expected) => {
    expect(headOf(raw)).toMatchObject({ ...expected, list: raw });
  });

  test("of an error is not a stream of events", () => {
    expect([200, 404].map((status) => isEventStream({ status, form: "events" }))).toEqual([
      true,
      false,
    ]);
  });
});

test.each([
  [
    ["A", "1", "content-length", "5", "B", "2"],
    ["A", "1", "content-length", "5", "B", "2"],
  ],
  [
    ["content-length", "6", "A", "1"],
    ["A", "1", "Content-Length", "5"],
  ],
  [
    ["A", "content-length"],
    ["A", "content-length", "Content-Length", "5"],
  ],
  [
    ["Content-Length", "5", "content-length", "5"],
    ["Content-Length", "5"],
  ],
])("%j with a body of 5 bytes", (list, expected) => {
  expect(withLength(list, 5)).toEqual(expected);
});

test("another place to go replaces each that was there", () => {
  expect(withLocation(["location", "/a", "A", "location", "Location", "/b"], "/c")).toEqual([
    "A",
    "location",
    "Location",
    "/c",
  ]);
});
