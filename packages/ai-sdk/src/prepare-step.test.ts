import type { ModelMessage } from "ai";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createReplay, replayable } from "./prepare-step.ts";

const call = (toolCallId: string, input: unknown, more: object = {}) =>
  ({ type: "tool-call", toolCallId, toolName: "find", input, ...more }) as const;
const result = (toolCallId: string, type: "error-text" | "text") =>
  ({ type: "tool-result", toolCallId, toolName: "find", output: { type, value: "text" } }) as const;
const asked = (...content: object[]) => ({ role: "assistant", content }) as ModelMessage;
const answered = (...content: object[]) => ({ role: "tool", content }) as ModelMessage;
const user: ModelMessage = { role: "user", content: '{"id":' };

describe("replayable", () => {
  test.each<readonly [string, readonly ModelMessage[], readonly ModelMessage[]]>([
    [
      "a refused text becomes an object, and nothing beside it changes",
      [
        user,
        asked({ type: "text", text: "{" }, call("1", '{"id":'), call("2", { id: 7 })),
        answered(result("1", "error-text"), result("2", "text")),
      ],
      [
        user,
        asked({ type: "text", text: "{" }, call("1", {}), call("2", { id: 7 })),
        answered(result("1", "error-text"), result("2", "text")),
      ],
    ],
    [
      "every refused text does, of an earlier turn too",
      [
        asked(call("1", "{")),
        answered(result("1", "error-text")),
        asked(call("2", "")),
        answered(result("2", "error-text")),
      ],
      [
        asked(call("1", {})),
        answered(result("1", "error-text")),
        asked(call("2", {})),
        answered(result("2", "error-text")),
      ],
    ],
  ])("%s", (_, messages, expected) => {
    expect(replayable([...messages])).toEqual(expected);
  });

  test.each<readonly [string, readonly ModelMessage[]]>([
    ["no message", []],
    ["a text of the model", [{ role: "assistant", content: '{"id":' }]],
    ["objects, lists, numbers and null", [asked(...[{}, [], 7, null].map((v) => call("1", v)))]],
    ["a call that the provider ran", [asked(call("1", "{", { providerExecuted: true }))]],
  ])("%s: the same list", (_, messages) => {
    const given = [...messages];
    expect(replayable(given)).toBe(given);
  });

  test("a valid call with a string as arguments: the same array", () => {
    const given = [asked(call("1", "Lisbon")), answered(result("1", "text"))];
    expect(replayable(given)).toBe(given);
  });

  test("for any arguments, roles, ids and results stay, and a second run changes nothing", () => {
    const part = fc.tuple(fc.string(), fc.jsonValue()).map(([id, input]) => call(id, input));
    const message = fc.oneof(
      fc.array(part).map((parts) => asked(...parts)),
      fc.array(fc.string()).map((ids) => answered(...ids.map((id) => result(id, "error-text")))),
      fc.constant(user),
    );
    const shape = (messages: readonly ModelMessage[]) =>
      messages.map(({ role, content }) => [
        role,
        typeof content === "string"
          ? content
          : content.map((one) => [one.type, "toolCallId" in one && one.toolCallId]),
      ]);
    fc.assert(
      fc.property(fc.array(message), (messages) => {
        const kept = JSON.stringify(messages);
        const repaired = replayable(messages);
        expect(shape(repaired)).toEqual(shape(messages));
        expect(replayable(repaired)).toEqual(repaired);
        expect(JSON.stringify(messages)).toBe(kept);
      }),
    );
  });
});

describe("a history that grows", () => {
  test("is looked at once, message by message", () => {
    let looks = 0;
    const watched = (id: string): ModelMessage => {
      const message = asked(call(id, { id }));
      const role = { enumerable: true, get: () => ((looks += 1), "assistant") };
      return Object.defineProperty({ ...message }, "role", role);
    };
    const replay = createReplay();
    const messages = Array.from({ length: 200 }, (_, at) => watched(String(at)));
    expect(replay(messages)).toBe(messages);
    expect(looks).toBe(200);
    looks = 0;
    const longer = [...messages, watched("200")];
    expect(replay(longer)).toBe(longer);
    expect(looks).toBe(1);
  });

  test("is repaired whatever came before, in this run or another", () => {
    const replay = createReplay();
    const refused = [asked(call("1", "{")), answered(result("1", "error-text"))];
    const repaired = [asked(call("1", {})), answered(result("1", "error-text"))];
    for (const before of [[], [user], [user, asked(call("0", {}))]]) {
      expect(replay([...before])).toEqual(before);
      expect(replay([...before, ...refused])).toEqual([...before, ...repaired]);
      expect(replay([...before, ...refused, user])).toEqual([...before, ...repaired, user]);
    }
    expect(replay(refused)).toEqual(repaired);
  });
});
