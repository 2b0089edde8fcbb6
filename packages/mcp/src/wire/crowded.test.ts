import { describe, expect, test } from "vitest";
import { isCrowded, MOST_NAMES, withoutCrowd } from "./crowded.ts";
import { readMessage } from "./read-message.ts";

function members(count: number): string {
  return Array.from({ length: count }, (_, index) => `"k${index}":${index}`).join(",");
}

const MANY = `{${members(MOST_NAMES + 1)}}`;
const MOST = `{${members(MOST_NAMES)}}`;

describe("whether an object has too many names", () => {
  test.each<readonly [what: string, text: string, isOne: boolean]>([
    ["one too many", MANY, true],
    ["as many as there may be", MOST, false],
    ["as many, twice", `[${MOST},${MOST}]`, false],
    ["as many, with others in it", `{"in":[{${members(9)}}],${members(MOST_NAMES - 1)}}`, false],
    ["one too many after others in it", `{"in":[{${members(9)}}],${members(MOST_NAMES)}}`, true],
    ["nested ones", `{"a":[{"b":${MANY}}]}`, true],
    ["colons, brackets and quotes in a string", JSON.stringify([`":{"`.repeat(60_000)]), false],
    ["text without an end", `{"a":"${":".repeat(300_000)}`, false],
    ["text that is not JSON", ":".repeat(300_000), true],
    ["a short one", '{"a":1}', false],
  ])("%s", (_, text, isOne) => {
    expect(isCrowded(text)).toBe(isOne);
  });

  test.each<readonly [what: string, text: string, left: string]>([
    ["between others", `{"a":1,"b":${MANY},"c":{"d":2}}`, '{"a":1,"b":{},"c":{"d":2}}'],
    ["that is not closed", `{"a":1,"b":${MANY.slice(0, -1)}`, '{"a":1,"b":{}'],
  ])("the one %s is taken out", (_, text, left) => {
    expect(withoutCrowd(text)).toBe(left);
  });
});

describe("a message with such an object", () => {
  const call = (args: string): string =>
    `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"add","arguments":${args}}}`;

  test.each<readonly [what: string, text: string, read: object]>([
    ["is refused under its id if it is a call", call(MANY), { kind: "unreadable", id: 7 }],
    ["is refused if it may be one", MANY, { kind: "unreadable", id: null }],
    ["is refused in a list", `[${call(MANY)}]`, { kind: "unreadable", id: null }],
    [
      "passes if it is none",
      call(MANY).replace("tools/call", "notifications/x"),
      { kind: "other", id: undefined },
    ],
    ["passes if it is an answer", `{"id":1,"result":${MANY}}`, { kind: "other", id: undefined }],
    ["is read if it has no more than it may", call(MOST), { kind: "message", id: undefined }],
  ])("%s", (_, text, expected) => {
    const reading = readMessage(Buffer.from(text));
    const id = reading.kind === "unreadable" ? reading.problem.id : undefined;
    expect({ kind: reading.kind, id }).toEqual(expected);
  });
});
