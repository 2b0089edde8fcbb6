import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { createForwardedOf, foundOnce } from "./known-head.ts";
import type { Header } from "./headers.ts";

const FIRST = ["Host", "a", "Authorization", "Bearer one", "Content-Length", "10"];

function requestOn(socket: object, rawHeaders: readonly string[]): IncomingMessage {
  return { rawHeaders, socket } as unknown as IncomingMessage;
}

test.each<readonly [what: string, next: readonly string[], isKnown: boolean]>([
  ["the same headers", [...FIRST], true],
  ["another length of the body", [...FIRST.slice(0, -1), "999"], true],
  ["another user", ["Host", "a", "Authorization", "Bearer two", "Content-Length", "10"], false],
  ["another spelling of a name", ["host", ...FIRST.slice(1)], false],
  ["another order", [...FIRST.slice(2), ...FIRST.slice(0, 2)], false],
  ["one header more", [...FIRST, "X-User", "two"], false],
  ["one header less", FIRST.slice(0, 4), false],
  ["a value where the length was", [...FIRST.slice(0, 4), "Content-Lengths", "10"], false],
])("on one connection, %s: known %s", (_, next, isKnown) => {
  const forwardedOf = createForwardedOf([]);
  const socket = {};
  const first = forwardedOf(requestOn(socket, FIRST), true);
  const second = forwardedOf(requestOn(socket, next), true);
  expect(second === first).toBe(isKnown);
  const fresh = createForwardedOf([])(requestOn({}, next), true);
  const withoutLength = (headers: readonly Header[]): readonly Header[] =>
    headers.filter(([name]) => name !== "Content-Length");
  expect(withoutLength(second)).toEqual(withoutLength(fresh));
});

test("own headers replace the client's at the endpoint only, whatever the connection sent before", () => {
  const forwardedOf = createForwardedOf([["Authorization", "Bearer own"]]);
  const socket = {};
  const valueAt = (isEndpoint: boolean): unknown =>
    new Map(forwardedOf(requestOn(socket, FIRST), isEndpoint)).get("Authorization");
  expect([true, false, true, false].map(valueAt)).toEqual([
    "Bearer own",
    "Bearer one",
    "Bearer own",
    "Bearer one",
  ]);
});

test("a list of headers is looked at once", () => {
  let looks = 0;
  const count = foundOnce(() => ({ look: (looks += 1) }));
  const [one, other]: readonly (readonly Header[])[] = [[["A", "1"]], [["A", "1"]]];
  expect([one, one, other, one].map((list) => count(list ?? []).look)).toEqual([1, 1, 2, 1]);
});
