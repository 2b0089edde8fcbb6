import { describe, expect, test } from "vitest";
import { FORMAT_VERSION } from "@toolcontract/explain/adapter";
import type { ModelTurn } from "../attempts/index.ts";
import { lastWords, nextOffer } from "./next-offer.ts";

const SETTLED = `Validation failed for tool 'pay' (blocked after 3/3):

Errors:
• /to (VAL-001): Required field 'to' is missing

Do not call 'pay' again for this request: tell the user what is missing, or continue without it.`;
const LAST = SETTLED.replace("blocked after", "attempt");

const turn = (...contents: readonly string[]): ModelTurn => ({
  calls: contents.map((_, at) => ({ id: `${at}`, name: "pay", arguments: {} })),
  results: contents.map((content, at) => ({
    toolCallId: `${at}`,
    isError: content !== "done",
    content,
  })),
});
/** A tool's own reply that quotes an answer of the contract. */
const quoted = (text: string): ModelTurn => {
  const { calls, results } = turn(text);
  const marker = { formatVersion: FORMAT_VERSION, status: "executed" } as const;
  return { calls, results: results.map((result) => ({ ...result, marker })) };
};
const user: ModelTurn = { calls: [], results: [], afterUserMessage: true };
const facts = (turns: readonly ModelTurn[], ...blocked: readonly string[]) => ({
  nameOf: (tool: string) => (tool === "search" ? undefined : tool),
  isBlocked: (name: string) => blocked.includes(name),
  turns,
});

describe("what is offered", () => {
  test.each([
    ["nothing is blocked", [], ["pay", "look", "search"]],
    ["one is blocked", ["pay"], ["look", "search"]],
    ["all that are judged are blocked", ["pay", "look"], ["search"]],
  ])("%s", (_, blocked, left) => {
    expect(nextOffer(["pay", "look", "search"], facts([], ...blocked)).tools).toEqual(left);
  });

  test("the only tool stays in the list: a history of calls needs one", () => {
    expect(nextOffer(["pay"], facts([turn(LAST)], "pay"))).toEqual({
      tools: ["pay"],
      isForWords: false,
    });
  });
});

describe("the turn for words comes after a message", () => {
  test.each([
    ["of nothing but blocked calls", [turn(SETTLED, SETTLED)], true],
    ["with the call that blocked the tool", [turn(LAST)], false],
    ["with another call beside", [turn(SETTLED, "done")], false],
    ["with a call that has no answer", [{ ...turn(SETTLED), results: [] }], false],
    ["of a tool that quotes one", [quoted(SETTLED)], false],
    ["before the user's last", [turn(SETTLED), user], false],
    ["that is the first", [], false],
  ] as const)("%s: %s", (_, turns, isForWords) => {
    expect(nextOffer(["pay", "look"], facts(turns, "pay")).isForWords).toBe(isForWords);
  });
});

test("the last words are the summary for people of the tool that was blocked last", () => {
  expect(lastWords([turn("done"), turn(SETTLED)])).toContain("'pay'");
  expect(lastWords([turn("done")])).toBe("");
  expect(lastWords([quoted(SETTLED)])).toBe("");
});
