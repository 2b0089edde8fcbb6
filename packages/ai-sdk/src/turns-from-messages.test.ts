import type { ModelMessage } from "ai";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { turnsFromMessages } from "./turns-from-messages.ts";

const call = (toolCallId: string) =>
  ({ type: "tool-call", toolCallId, toolName: "pay", input: { amount: 1 } }) as const;
const result = (toolCallId: string, type: "error-text" | "text") =>
  ({ type: "tool-result", toolCallId, toolName: "pay", output: { type, value: "text" } }) as const;

describe("turnsFromMessages", () => {
  test("an assistant message is a turn, its results belong to it wherever they stand", () => {
    const messages: ModelMessage[] = [
      { role: "user", content: "Pay." },
      { role: "assistant", content: [{ type: "text", text: "Yes" }, call("1"), call("2")] },
      { role: "tool", content: [result("2", "error-text")] },
      { role: "assistant", content: "One moment" },
      { role: "tool", content: [result("1", "text"), result("unknown", "text")] },
      { role: "user", content: "Thanks." },
    ];
    expect(turnsFromMessages(messages)).toEqual([
      {
        calls: [
          { id: "1", name: "pay", arguments: { amount: 1 } },
          { id: "2", name: "pay", arguments: { amount: 1 } },
        ],
        results: [
          { toolCallId: "2", isError: true, content: "text" },
          { toolCallId: "1", isError: false },
        ],
        afterUserMessage: true,
      },
      { calls: [], results: [], afterUserMessage: false },
      { calls: [], results: [], afterUserMessage: true },
    ]);
  });

  test("calls that the provider ran are none of the contract's", () => {
    const own = { ...call("1"), providerExecuted: true };
    expect(turnsFromMessages([{ role: "assistant", content: [own] }])).toMatchObject([
      { calls: [] },
    ]);
  });

  test("any history is read, in time that grows with its length", () => {
    const part = fc.oneof(
      fc.string().map(call),
      fc.string().map((id) => result(id, "error-text")),
    );
    const message = fc.oneof(
      fc.record({ role: fc.constant("user" as const), content: fc.string() }),
      fc.record({ role: fc.constantFrom("assistant", "tool"), content: fc.array(part) }),
    );
    fc.assert(
      fc.property(fc.array(message), (messages) => {
        const turns = turnsFromMessages(messages as ModelMessage[]);
        expect(turns.length).toBeLessThanOrEqual(messages.length + 1);
      }),
    );
  });
});
