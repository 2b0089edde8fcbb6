import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { continuesKept, repairPrompt } from "./prompt-messages.ts";

type Part = Readonly<Record<string, unknown>>;
interface Message {
  readonly role: string;
  readonly content: unknown;
}

const call = (toolCallId: unknown, toolName: unknown, input: unknown = {}, more = {}): Part => {
  return { type: "tool-call", toolCallId, toolName, input, ...more };
};
const result = (toolCallId: unknown, toolName: unknown, type = "text"): Part => {
  return { type: "tool-result", toolCallId, toolName, output: { type, value: "v" } };
};
const asked = (...content: readonly Part[]): Message => ({ role: "assistant", content });
const told = (...content: readonly Part[]): Message => ({ role: "tool", content });
const go: Message = { role: "user", content: [{ type: "text", text: "go" }] };
const partsOf = (prompt: readonly Message[], type: string): readonly Part[] =>
  prompt.flatMap(({ content }) =>
    (content as readonly Part[]).filter((one) => one["type"] === type),
  );

test.each<[string, readonly Message[]]>([
  ["nothing", []],
  [
    "whole turns",
    [
      go,
      asked(call("a", "read"), call("b", "list")),
      told(result("b", "list"), result("a", "read")),
      go,
    ],
  ],
  [
    "a call that the provider ran",
    [
      asked(
        call("s.1", "web.search", "{", { providerExecuted: true }),
        result("s.1", "web.search"),
      ),
    ],
  ],
  [
    "its result in a message of its own",
    [asked(call("s.1", "web", {}, { providerExecuted: true })), told(result("s.1", "web"))],
  ],
  ["a tool of free text", [asked(call("a", "shell", "ls -l")), told(result("a", "shell"))]],
])("the same list: %s", (_, prompt) => {
  expect(repairPrompt(prompt)).toBe(prompt);
});

test("call and result agree on a name, an id and arguments that every provider takes", () => {
  const prompt = [
    asked(call("functions.read:0", "functions.read", "[1]"), call("ok", "list")),
    told(result("functions.read:0", "functions.read", "error-text"), result("ok", "list")),
  ];
  const repaired = repairPrompt(prompt);
  const [first, second] = partsOf(repaired, "tool-call");
  expect(first).toMatchObject({ toolName: "functions_read", input: {} });
  expect(first?.["toolCallId"]).toMatch(/^[a-zA-Z0-9]{9}$/);
  expect(second).toBe(partsOf(prompt, "tool-call")[1]);
  const [answer, other] = partsOf(repaired, "tool-result");
  expect(answer).toMatchObject({ toolCallId: first?.["toolCallId"], toolName: "functions_read" });
  expect(other).toBe(partsOf(prompt, "tool-result")[1]);
});

test("a call without an answer reads that its outcome is unknown, beside the answers that are there", () => {
  const approval = { type: "tool-approval-response", approvalId: "p" };
  const prompt = [
    asked(call("a", "read"), call("b", "pay")),
    told(result("a", "read"), approval),
    go,
  ];
  const repaired = repairPrompt(prompt);
  expect(repaired.map(({ role }) => role)).toEqual(["assistant", "tool", "user"]);
  expect(partsOf(repaired, "tool-result")).toMatchObject([
    { toolCallId: "a" },
    { toolCallId: "b", output: { type: "error-text", value: expect.stringContaining("unknown") } },
  ]);
  expect(partsOf(repaired, "tool-approval-response")).toEqual([approval]);
});

test("Mistral gets ids of nine letters and digits, and only Mistral", () => {
  const prompt = [asked(call("call_1", "read")), told(result("call_1", "read"))];
  for (const provider of ["openai.chat", "anthropic", "custom"])
    expect(repairPrompt(prompt, { provider })).toBe(prompt);
  const [sent] = partsOf(repairPrompt(prompt, { provider: "mistral.chat" }), "tool-call");
  expect(sent?.["toolCallId"]).toMatch(/^[a-zA-Z0-9]{9}$/);
});

test("what a server keeps is not repaired: its calls are not in the prompt", () => {
  const prompt = [told(result("a", "read")), go];
  const isKept = continuesKept({ openai: { previousResponseId: "r" } });
  expect(repairPrompt(prompt, { isKept })).toBe(prompt);
  expect(repairPrompt(prompt)).toEqual([go]);
  for (const options of [undefined, {}, { openai: { store: true } }, { other: null }])
    expect(continuesKept(options)).toBe(false);
});

test("whatever a prompt is made of, every call has one answer, and a second repair changes nothing", () => {
  const id = fc.constantFrom<unknown>("a", "b", "", null, "x:1");
  const part = fc.oneof(
    fc.tuple(id, id, fc.jsonValue()).map(([a, b, c]) => call(a, b, c)),
    fc.tuple(id, id, fc.constantFrom("text", "error-text")).map(([a, b, c]) => result(a, b, c)),
    fc.constant({ type: "text", text: "t" }),
  );
  const message = fc.record({
    role: fc.constantFrom("assistant", "tool", "user"),
    content: fc.array(part, { maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 6 }), (prompt) => {
      const kept = JSON.stringify(prompt);
      const repaired = repairPrompt<Message>(prompt);
      const ids = (role: string, type: string): readonly unknown[] =>
        partsOf(
          repaired.filter((one) => one.role === role),
          type,
        ).map((one) => one["toolCallId"]);
      const calls = ids("assistant", "tool-call");
      const answers = ids("tool", "tool-result");
      expect(new Set(calls).size).toBe(calls.length);
      expect([answers.length, new Set(answers)]).toEqual([calls.length, new Set(calls)]);
      expect(repairPrompt(repaired)).toBe(repaired);
      expect(JSON.stringify(prompt)).toBe(kept);
    }),
    { numRuns: 200 },
  );
});

describe("a history that begins as one that was fine", () => {
  const pair = (id: string): readonly Message[] => [
    asked(call(id, "read")),
    told(result(id, "read")),
  ];
  const historyOf = (...ids: readonly string[]): readonly Message[] => ids.flatMap(pair);

  test.each([
    ["an id that came before", ["a1", "a2", "a1"]],
    ["an id that no provider takes", ["a1", "a2", "a:3"]],
    ["another beginning with a repeat", ["a1", "b2", "b2"]],
  ])("is still looked at from where it goes on: %s", (_, ids) => {
    const fine = historyOf("a1", "a2");
    expect(repairPrompt(fine)).toBe(fine);
    const next = historyOf(...ids);
    expect(repairPrompt(next)).not.toBe(next);
  });

  test("is held against the rules of each provider", () => {
    const fine = historyOf("a1", "a2");
    expect(repairPrompt(fine)).toBe(fine);
    expect(repairPrompt(fine, { provider: "mistral.chat" })).not.toBe(fine);
  });
});
