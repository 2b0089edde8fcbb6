import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type HistoryProvider, repairHistory } from "./index.ts";

type Message = Readonly<Record<string, unknown>>;

const chat = (...calls: readonly [id: unknown, name: unknown, args?: unknown][]): Message => ({
  role: "assistant",
  content: null,
  tool_calls: calls.map(([id, name, args = "{}"]) => ({
    ...(id !== undefined && { id }),
    type: "function",
    function: { name, arguments: args },
  })),
});
const told = (id: unknown, content = "done"): Message => ({
  role: "tool",
  ...(id !== undefined && { tool_call_id: id }),
  content,
});
const uses = (...calls: readonly [id: unknown, name: unknown, input?: unknown][]): Message => ({
  role: "assistant",
  content: calls.map(([id, name, input = {}]) => ({ type: "tool_use", id, name, input })),
});
const result = (id: unknown, content: unknown = "done"): Message => ({
  type: "tool_result",
  tool_use_id: id,
  content,
});
const user = (...content: readonly unknown[]): Message => ({ role: "user", content });
const go = { role: "user", content: "go" };

interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: string;
}

/** The calls and the ids of the answers of a history of chat messages, in order. */
function read(messages: readonly Message[]): {
  readonly calls: readonly Call[];
  readonly answers: readonly unknown[];
} {
  const calls = messages.flatMap(({ tool_calls }) =>
    ((tool_calls ?? []) as { id: string; function: { name: string; arguments: string } }[]).map(
      ({ id, function: { name, arguments: args } }) => ({ id, name, args }),
    ),
  );
  const answers = messages.flatMap((one) => (one["role"] === "tool" ? [one["tool_call_id"]] : []));
  return { calls, answers };
}

describe("a history that is fine", () => {
  test.each<[string, readonly Message[]]>([
    ["of Chat Completions", [go, chat(["call_1", "read"]), told("call_1"), go]],
    ["of Anthropic", [go, uses(["toolu_1", "read"]), user(result("toolu_1")), go]],
    ["with text after the results", [uses(["a", "read"]), user(result("a"), { type: "text" })]],
    ["without calls", [go]],
    ["of nothing", []],
  ])("stays as it is: %s", (_, messages) => {
    const repaired = repairHistory(messages);
    expect(repaired.changes).toEqual([]);
    for (const [index, message] of messages.entries())
      expect(repaired.messages[index]).toBe(message);
  });
});

describe("names", () => {
  test.each(["functions.read", "read file", "read<|channel|>commentary", "", "r".repeat(90), null])(
    "%j becomes one that every provider takes",
    (name) => {
      const { messages, changes } = repairHistory<Message>([
        chat(["call_1", name]),
        told("call_1"),
      ]);
      expect(read(messages).calls[0]?.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(changes).toMatchObject([
        { index: 0, what: expect.stringContaining("name of call 1") },
      ]);
    },
  );

  test("Anthropic takes 128 characters", () => {
    const messages = [uses(["a", "r".repeat(90)]), user(result("a"))];
    expect(repairHistory(messages, { provider: "anthropic" }).changes).toEqual([]);
    expect(repairHistory(messages).changes).toHaveLength(1);
  });
});

describe("ids", () => {
  test.each<[unknown, HistoryProvider | undefined, boolean]>([
    ["functions.read:0", undefined, true],
    ["functions.read:0", "anthropic", true],
    ["functions.read:0", "openai", false],
    ["c".repeat(45), undefined, true],
    ["c".repeat(45), "openai", true],
    ["c".repeat(45), "anthropic", false],
    ["call_1", undefined, false],
    ["call_1", "mistral", true],
    ["abcDEF123", "mistral", false],
    ["", undefined, true],
    [null, undefined, true],
    [undefined, undefined, true],
  ])("%j for %s: changed %s, in call and answer", (id, provider, isChanged) => {
    const options = provider === undefined ? {} : { provider };
    const { messages } = repairHistory<Message>([chat([id, "read"]), told(id)], options);
    const { calls, answers } = read(messages);
    expect(answers).toEqual([calls[0]?.id]);
    expect(calls[0]?.id !== id).toBe(isChanged);
    if (isChanged) expect(calls[0]?.id).toMatch(/^[a-zA-Z0-9]{9}$/);
  });

  test("a changed id is the same each time, and one that repeats is another each time", () => {
    const messages = [
      chat(["read", "read"]),
      told("read", "1"),
      chat(["read", "read"]),
      told("read", "2"),
    ];
    const once = repairHistory<Message>(messages).messages;
    expect(repairHistory<Message>([...messages, go]).messages.slice(0, 4)).toEqual(once);
    const { calls, answers } = read(once);
    expect(new Set(answers).size).toBe(2);
    expect(answers).toEqual(calls.map(({ id }) => id));
    expect(once.map(({ content }) => content)).toEqual([null, "1", null, "2"]);
  });

  test("one id twice in a message: each call has its own answer, in order", () => {
    const messages = [chat(["x", "read"], ["x", "list"]), told("x", "1"), told("x", "2")];
    const repaired = repairHistory<Message>(messages).messages;
    const { calls, answers } = read(repaired);
    expect(answers).toEqual(calls.map(({ id }) => id));
    expect(new Set(answers).size).toBe(2);
  });
});

describe("arguments", () => {
  test.each([
    ["[1]", "{}"],
    ["null", "{}"],
    ["", "{}"],
    ['{"path": "a', "{}"],
    [null, "{}"],
    [{ path: "a" }, '{"path":"a"}'],
    [JSON.stringify('{"path":"a"}'), '{"path":"a"}'],
    ['{"path":"a"}', '{"path":"a"}'],
  ])("%j are sent as %s", (args, sent) => {
    const { messages } = repairHistory<Message>([chat(["call_1", "read", args]), told("call_1")]);
    expect(read(messages).calls[0]?.args).toBe(sent);
  });

  test.each([["[1]"], [null], ["text"], [7]])("%j of Anthropic is an object", (input) => {
    const { messages } = repairHistory<Message>([uses(["a", "read", input]), user(result("a"))]);
    expect(messages[0]).toEqual(uses(["a", "read", {}]));
  });

  test("OpenAI takes any text", () => {
    const messages = [chat(["call_1", "read", '{"path": "a']), told("call_1")];
    expect(repairHistory(messages, { provider: "openai" }).changes).toEqual([]);
  });
});

describe("answers", () => {
  test("a call without one reads that its outcome is unknown", () => {
    const { messages, changes } = repairHistory<Message>([
      chat(["a", "read"], ["b", "pay"]),
      told("a"),
      go,
    ]);
    expect(messages.map(({ role }) => role)).toEqual(["assistant", "tool", "tool", "user"]);
    expect(messages[2]?.["content"]).toContain("outcome of this call is unknown");
    expect(changes).toMatchObject([{ index: 0 }]);
    const ofAnthropic = repairHistory<Message>([uses(["a", "read"], ["b", "pay"]), go]).messages;
    expect(ofAnthropic).toHaveLength(2);
    expect(ofAnthropic[1]).toMatchObject({
      role: "user",
      content: [{ tool_use_id: "a" }, { tool_use_id: "b", is_error: true }, { text: "go" }],
    });
  });

  test("they come right after their calls, as they came, and once", () => {
    const { messages, changes } = repairHistory<Message>([
      chat(["a", "read"], ["b", "read"]),
      told("b"),
      go,
      told("a"),
      told("a"),
      told("none"),
    ]);
    expect(read(messages).answers).toEqual(["b", "a"]);
    expect(messages.at(-1)).toBe(go);
    expect(changes.map(({ index }) => index)).toEqual([4, 5]);
  });

  test("those of Anthropic come before other blocks", () => {
    const text = { type: "text", text: "and" };
    const { messages } = repairHistory<Message>([
      uses(["a", "read"], ["b", "read"]),
      user(text, result("b"), result("a")),
    ]);
    expect(messages[1]).toEqual(user(result("b"), result("a"), text));
  });

  test("an error is never without words", () => {
    const silent = { ...result("a", ""), is_error: true };
    const { messages } = repairHistory<Message>([uses(["a", "read"]), user(silent)]);
    expect(messages[1]).toEqual(user({ ...silent, content: "The tool failed: it gave no reason" }));
  });
});

const anyId = fc.constantFrom<unknown>("a", "b", "", null, 7, "functions.read:0", undefined);
const odd = fc.constantFrom<unknown>(null, "x", 7, [], {}, go);
const block = fc.record({
  type: fc.constantFrom("tool_use", "tool_result", "text"),
  id: anyId,
  tool_use_id: anyId,
  name: anyId,
  input: anyId,
});

test.each([
  [
    "Chat Completions",
    fc.oneof(
      odd,
      fc
        .tuple(anyId, anyId, anyId)
        .map(([id, name, args]) => chat([id, name, args], ["b", "read"])),
      anyId.map((id) => told(id)),
    ),
  ],
  [
    "Anthropic",
    fc.oneof(
      odd,
      fc.record({
        role: fc.constantFrom("user", "assistant"),
        content: fc.array(block, { maxLength: 3 }),
      }),
    ),
  ],
])("it is a fixed point of %s, and no message makes it throw", (_, message) => {
  fc.assert(
    fc.property(fc.array<unknown>(message, { maxLength: 8 }), (messages) => {
      const once = repairHistory(messages);
      expect(repairHistory(once.messages)).toEqual({ messages: once.messages, changes: [] });
    }),
    { numRuns: 200 },
  );
});

test("a misuse throws", () => {
  expect(() => repairHistory("messages" as never)).toThrow("must be an array of messages");
  expect(() => repairHistory([], { provider: "acme" as never })).toThrow("must be one of openai,");
});
