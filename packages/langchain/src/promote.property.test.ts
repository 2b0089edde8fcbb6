import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { promoteInvalidToolCalls } from "./index.ts";
import { turnsFromMessages } from "./history.ts";

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.json(),
  fc.json().map((one) => one.slice(0, -1)),
);
const call = fc.record(
  { id: fc.oneof(fc.uuid(), fc.constant("")), name: fc.string(), args: text },
  { requiredKeys: ["args"] },
);
const json = fc.jsonValue();
const metadata = fc.record(
  { finish_reason: json, output: json, incomplete_details: json },
  { requiredKeys: [] },
);

describe("promoteInvalidToolCalls, whatever a client returns", () => {
  test("every call has an id and object arguments, and no call is lost", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(call, { selector: ({ id }) => id ?? Math.random(), maxLength: 5 }),
        metadata,
        (calls, meta) => {
          const invalid_tool_calls = calls.map((one) => ({
            ...one,
            type: "invalid_tool_call" as const,
          }));
          const message = new AIMessage({
            content: "",
            invalid_tool_calls,
            response_metadata: meta,
          });
          const { tool_calls = [] } = promoteInvalidToolCalls(message);
          expect(tool_calls).toHaveLength(calls.length);
          for (const { id, name, args } of tool_calls) {
            expect(id).toMatch(/./);
            expect(name).not.toBe("");
            expect(Object.prototype.toString.call(args)).toBe("[object Object]");
          }
          expect(() => JSON.stringify(promoteInvalidToolCalls(message))).not.toThrow();
        },
      ),
      { numRuns: 200 },
    );
  });

  test("streamed chunks, cut anywhere, give all arguments or none", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (whole, at) => {
        const cut = whole.slice(0, at % (whole.length + 1));
        const message = new AIMessageChunk({
          content: "",
          tool_call_chunks: [
            { type: "tool_call_chunk", id: "a", name: "act", args: cut, index: 0 },
          ],
        });
        const [shown] = promoteInvalidToolCalls(message).tool_calls ?? [];
        let parsed: unknown;
        try {
          parsed = JSON.parse(cut);
        } catch {
          parsed = {};
        }
        const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
        expect(shown?.args).toEqual(isObject ? parsed : {});
      }),
      { numRuns: 300 },
    );
  });

  test("histories with any artifact can be counted", () => {
    fc.assert(
      fc.property(json, fc.string(), (artifact, content) => {
        const asking = new AIMessage({
          content: "",
          tool_calls: [{ id: "a", name: "act", args: {} }],
        });
        const marked = {
          artifact: { toolcontract: artifact },
          content,
          status: "error",
          type: "tool",
          tool_call_id: "a",
        };
        expect(() => turnsFromMessages([asking, marked as never])).not.toThrow();
      }),
    );
  });
});
