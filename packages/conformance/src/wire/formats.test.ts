import { describe, expect, test } from "vitest";
import type { Api, Scenario, ScenarioCall, SeenEntry } from "../shared/index.ts";
import { FORMATS } from "./formats.ts";

/** Two calls of one message, in formats whose arguments are strings. */
const calls: SeenEntry = {
  kind: "calls",
  calls: [
    { id: "a", name: "read", text: "{}" },
    { id: "b", name: "write", text: "{" },
  ],
};
const prompt: SeenEntry = { kind: "text", role: "user", text: "Hi" };

describe("the conversation that a request has", () => {
  test.each<[api: Api, name: string, body: object, history: readonly SeenEntry[]]>([
    [
      "openai-chat",
      "with calls and their answers",
      {
        messages: [
          { role: "user", content: "Hi" },
          {
            role: "assistant",
            content: null,
            tool_calls: [
              { id: "a", function: { name: "read", arguments: "{}" } },
              { id: "b", function: { name: "write", arguments: "{" } },
            ],
          },
          { role: "tool", tool_call_id: "a", content: "one" },
          { role: "tool", tool_call_id: "b", content: [{ type: "text", text: "two" }] },
        ],
      },
      [
        prompt,
        calls,
        { kind: "answer", id: "a", text: "one" },
        { kind: "answer", id: "b", text: "two" },
      ],
    ],
    [
      "openai-chat",
      "with what the model said beside a call",
      {
        messages: [
          { role: "assistant", content: "I read.", tool_calls: [{ id: "a", function: {} }] },
        ],
      },
      [
        { kind: "text", role: "assistant", text: "I read." },
        { kind: "calls", calls: [{ id: "a", name: "", text: "" }] },
      ],
    ],
    [
      "openai-chat",
      "with content in parts, and parts of other kinds",
      {
        messages: [
          { role: "user", content: ["Hi", { text: ["a", { text: "b" }] }, { image: 1 }, 2] },
        ],
      },
      [{ kind: "text", role: "user", text: 'Hi\na\nb\n{"image":1}\n2' }],
    ],
    [
      "openai-chat",
      "with an object in place of a string",
      { messages: [{ role: "tool", tool_call_id: "a", content: { error: "no" } }] },
      [{ kind: "answer", id: "a", text: '{"error":"no"}' }],
    ],
    [
      "openai-chat",
      "that is not as it should be",
      { messages: [null, "Hi", { role: 1, content: "x" }, { role: "tool", tool_call_id: 1 }] },
      [
        { kind: "text", role: "", text: "x" },
        { kind: "answer", id: "", text: "" },
      ],
    ],
    ["openai-chat", "without messages", {}, []],
    ["openai-responses", "that is a string", { input: "Hi" }, [prompt]],
    [
      "openai-responses",
      "whose calls are items of their own",
      {
        input: [
          { role: "user", content: [{ type: "input_text", text: "Hi" }] },
          { type: "reasoning", id: "r" },
          { type: "function_call", call_id: "a", name: "read", arguments: "{}" },
          { type: "function_call", call_id: "b", name: "write", arguments: "{" },
          { type: "function_call_output", call_id: "a", output: "one" },
          { type: "function_call", call_id: "c", name: "read", arguments: "{}" },
        ],
      },
      [
        prompt,
        calls,
        { kind: "answer", id: "a", text: "one" },
        { kind: "calls", calls: [{ id: "c", name: "read", text: "{}" }] },
      ],
    ],
    ["openai-responses", "without input", {}, []],
    [
      "anthropic",
      "with calls and their answers",
      {
        messages: [
          { role: "user", content: "Hi" },
          {
            role: "assistant",
            content: [
              { type: "text", text: "I read." },
              { type: "tool_use", id: "a", name: "read", input: {} },
              { type: "tool_use", id: "b", name: "write", input: {} },
            ],
          },
          {
            role: "user",
            content: [
              { type: "tool_result", tool_use_id: "a", content: "one" },
              {
                type: "tool_result",
                tool_use_id: "b",
                content: [{ type: "text", text: "two" }],
                is_error: true,
              },
              { type: "image" },
            ],
          },
        ],
      },
      [
        prompt,
        { kind: "text", role: "assistant", text: "I read." },
        {
          kind: "calls",
          calls: [
            { id: "a", name: "read" },
            { id: "b", name: "write" },
          ],
        },
        { kind: "answer", id: "a", text: "one", isError: false },
        { kind: "answer", id: "b", text: "two", isError: true },
      ],
    ],
    [
      "gemini",
      "with calls and their answers",
      {
        contents: [
          { role: "user", parts: [{ text: "Hi" }] },
          {
            role: "model",
            parts: [
              { text: "I read." },
              { functionCall: { name: "read", args: {} } },
              { functionCall: { id: "b", name: "write", args: {} } },
            ],
          },
          {
            role: "user",
            parts: [
              { functionResponse: { name: "read", response: { output: "one" } } },
              { functionResponse: { id: "b", name: "write", response: { error: "two" } } },
              { inlineData: {} },
            ],
          },
        ],
      },
      [
        prompt,
        { kind: "text", role: "model", text: "I read." },
        {
          kind: "calls",
          calls: [
            { id: "", name: "read" },
            { id: "b", name: "write" },
          ],
        },
        { kind: "answer", id: "", name: "read", text: '{"output":"one"}', isError: false },
        { kind: "answer", id: "b", name: "write", text: '{"error":"two"}', isError: true },
      ],
    ],
  ])("of %s, %s", (api, _, body, history) => {
    expect(FORMATS[api].read(body as never)).toEqual(history);
  });
});

test.each<[api: Api, path: string, body: object, isStream: boolean | undefined]>([
  ["openai-chat", "/v1/chat/completions", { stream: true }, true],
  ["openai-chat", "/v1/chat/completions", { stream: false }, false],
  ["openai-chat", "/v1/chat/completions", {}, false],
  ["openai-chat", "/v1/chat/completions/1", {}, undefined],
  ["openai-responses", "/responses", { stream: true }, true],
  ["openai-responses", "/responses", {}, false],
  ["openai-responses", "/responses/1", {}, undefined],
  ["anthropic", "/v1/messages", { stream: true }, true],
  ["anthropic", "/v1/messages", {}, false],
  ["anthropic", "/v1/messages/count_tokens", {}, undefined],
  ["gemini", "/v1beta/models/any:generateContent", {}, false],
  ["gemini", "/v1beta/models/any:streamGenerateContent", {}, true],
  ["gemini", "/v1beta/models/any:countTokens", {}, undefined],
])(
  "%s reads %s with %j as a stream: %s; undefined if it is not a request for a reply",
  (api, path, body, isStream) => {
    const format = FORMATS[api];
    const url = new URL(path, "http://localhost");
    const found = format.path.test(path) ? format.isStream(body as never, url) : undefined;
    expect(found).toBe(isStream);
  },
);

test.each<[api: Api, body: object, mayCall: boolean]>([
  ["openai-chat", { tools: [{}] }, true],
  ["openai-chat", { tools: [{}], tool_choice: "required" }, true],
  ["openai-chat", { tools: [{}], tool_choice: "none" }, false],
  ["openai-chat", { tools: [] }, false],
  ["openai-chat", {}, false],
  ["openai-responses", { tools: [{}], tool_choice: { type: "function", name: "read" } }, true],
  ["openai-responses", { tools: [{}], tool_choice: "none" }, false],
  ["openai-responses", {}, false],
  ["anthropic", { tools: [{}], tool_choice: { type: "auto" } }, true],
  ["anthropic", { tools: [{}] }, true],
  ["anthropic", { tools: [{}], tool_choice: { type: "none" } }, false],
  ["anthropic", { tools: [] }, false],
  ["anthropic", { thread: { type: "continue", previous_message_id: "m" } }, true],
  ["anthropic", { thread: { type: "continue" }, tools: [] }, false],
  ["anthropic", { thread: { type: "continue" }, tool_choice: { type: "none" } }, false],
  ["anthropic", { thread: { type: "create" } }, false],
  ["gemini", { tools: [{ googleSearch: {} }, { functionDeclarations: [{}] }] }, true],
  ["gemini", { tools: [{ googleSearch: {} }] }, false],
  [
    "gemini",
    {
      tools: [{ functionDeclarations: [{}] }],
      toolConfig: { functionCallingConfig: { mode: "NONE" } },
    },
    false,
  ],
  ["gemini", {}, false],
])("%s lets a model call with %j: %s", (api, body, mayCall) => {
  expect(FORMATS[api].mayCall(body as never)).toBe(mayCall);
});

describe("the calls that a format can carry", () => {
  const call = (parts: Partial<ScenarioCall>): ScenarioCall => ({
    tool: "read",
    arguments: "{}",
    expect: "runs",
    ...parts,
  });
  const scenario = (parts: Partial<ScenarioCall>, drops?: boolean): Scenario => ({
    id: "one",
    title: "",
    prompt: "Hi",
    tools: [],
    turns: [{ calls: [call({}), call(parts)], ...(drops !== undefined && { drops }) }],
  });
  const all: readonly string[] = [
    "openai-chat",
    "openai-responses",
    "anthropic",
    "anthropic streamed",
    "gemini",
  ];
  const without = (...names: readonly string[]): readonly string[] =>
    all.filter((name) => !names.includes(name));

  test.each<[name: string, scenario: Scenario, formats: readonly string[]]>([
    ["an object", scenario({}), all],
    ["an id of its own", scenario({ id: "call-1_a" }), without("gemini")],
    ["an id with other characters", scenario({ id: "call.1" }), all.slice(0, 2)],
    ["an empty id", scenario({ id: "" }), all.slice(0, 2)],
    ["half a JSON text", scenario({ arguments: '{"a' }), without("anthropic", "gemini")],
    ["a list", scenario({ arguments: "[]" }), without("anthropic", "gemini")],
    ["null", scenario({ arguments: "null" }), without("anthropic", "gemini")],
    ["a string", scenario({ arguments: '"{}"' }), without("anthropic", "gemini")],
    ["digits", scenario({ digits: "123" }), without("anthropic", "gemini")],
    ["a connection that breaks", scenario({}, true), without("gemini")],
  ])("%s", (_, played, formats) => {
    const found = all.filter((name) => {
      const [api = "", streamed] = name.split(" ");
      return FORMATS[api as Api].canPlay(played, streamed !== undefined);
    });
    expect(found).toEqual(formats);
  });
});
