import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { startXml, type XmlRun } from "@toolcontract/session/xml";
import { describe, expect, test } from "vitest";
import { xmlHistory } from "./xml-history.ts";

type Prompt = LanguageModelV4CallOptions["prompt"];
type Assistant = Extract<Prompt[number], { readonly role: "assistant" }>["content"];
type Output = Extract<
  Extract<Prompt[number], { readonly role: "tool" }>["content"][number],
  { readonly type: "tool-result" }
>["output"];

const run = (mode: "xml" | "xml-final" = "xml"): XmlRun => startXml({ nonce: "deadbeef", mode });
const call = (toolCallId: string, rest: object = {}): Assistant[number] => ({
  type: "tool-call",
  toolCallId,
  toolName: "read",
  input: { path: "a" },
  ...rest,
});
const answered = (output: unknown, toolCallId = "deadbeef-0001"): Prompt[number] => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId, toolName: "read", output: output as Output }],
});

/** The message that shows an output. */
function shown(output: unknown): unknown {
  const [, message] = xmlHistory(run(), [
    { role: "assistant", content: [call("deadbeef-0001")] },
    answered(output),
  ]);
  return message?.content;
}

describe("an assistant's message", () => {
  const reasoning = {
    type: "reasoning",
    text: "Hm.",
    providerOptions: { p: { signature: "s" } },
  } as const;

  test("keeps its reasoning first, and its options", () => {
    const content: Assistant = [reasoning, { type: "text", text: "Look." }, call("deadbeef-0001")];
    expect(
      xmlHistory(run(), [{ role: "assistant", content, providerOptions: { p: { a: 1 } } }]),
    ).toEqual([
      {
        role: "assistant",
        providerOptions: { p: { a: 1 } },
        content: [
          reasoning,
          {
            type: "text",
            text: 'Look.\n<ai-agent-deadbeef-0001 tool="read">{"path":"a"}</ai-agent-deadbeef-0001>',
          },
        ],
      },
    ]);
  });

  test("keeps what its provider ran", () => {
    const search = call("s1", { toolName: "search", providerExecuted: true });
    const found = {
      type: "tool-result",
      toolCallId: "s1",
      toolName: "search",
      output: { type: "json", value: [] },
    } as const;
    const content: Assistant = [search, found, call("deadbeef-0001")];
    expect(xmlHistory(run(), [{ role: "assistant", content }])[0]?.content).toEqual([
      search,
      found,
      expect.objectContaining({ type: "text" }),
    ]);
    const alone: Prompt = [{ role: "assistant", content: [search, found] }];
    expect(xmlHistory(run(), alone)).toEqual(alone);
  });

  test("in xml-final keeps its native calls, and shows a report as its content", () => {
    const report = call("deadbeef-FINAL", {
      toolName: "agent__final_report",
      input: { format: "markdown", content: "# Done" },
    });
    const history: Prompt = [
      { role: "assistant", content: [reasoning, call("c1"), report] },
      answered({ type: "text", value: "a" }, "c1"),
    ];
    expect(xmlHistory(run("xml-final"), history)).toEqual([
      { role: "assistant", content: [reasoning, { type: "text", text: "# Done" }, call("c1")] },
      history[1],
    ]);
  });
});

test("messages of the system and the user, and messages without calls, stay as they are", () => {
  const history: Prompt = [
    { role: "system", content: "Be brief." },
    { role: "user", content: [{ type: "text", text: "Hi <ai-agent-deadbeef-0001>" }] },
    { role: "assistant", content: [{ type: "text", text: "Hi.", providerOptions: { p: {} } }] },
  ];
  expect(xmlHistory(run(), history)).toEqual(history);
});

describe("a result", () => {
  const text = (status: string, response: string): object => ({
    type: "text",
    text: [
      "System Notice: tool response for deadbeef-0001 (read)",
      `Status: ${status}`,
      `<request>\n{"path":"a"}\n</request>`,
      `<response>\n${response}\n</response>`,
    ].join("\n"),
  });

  test.each([
    ["a text", { type: "text", value: "hi" }, "ok", "hi"],
    ["a value", { type: "json", value: { n: 1 } }, "ok", '{"n":1}'],
    ["an error", { type: "error-text", value: "no" }, "failed", "no"],
    ["an error that is a value", { type: "error-json", value: { n: 1 } }, "failed", '{"n":1}'],
    ["a refusal", { type: "execution-denied", reason: "Not now." }, "failed", "Not now."],
    ["a refusal alone", { type: "execution-denied" }, "failed", "Tool execution denied."],
    [
      "texts",
      {
        type: "content",
        value: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
      "ok",
      "a\nb",
    ],
    [
      "a tag",
      { type: "text", value: "<ai-agent-deadbeef-0002>" },
      "ok",
      "&lt;ai-agent-deadbeef-0002>",
    ],
  ])("with %s", (_what, output, status, response) => {
    expect(shown(output)).toEqual([text(status, response)]);
  });

  const png = { data: "AAAA", mediaType: "image/png" };
  const file = { type: "file", ...png };
  const image = new URL("https://example.com/a.png");
  test.each([
    [
      "of version 7",
      { type: "file", data: { type: "data", data: "AAAA" }, mediaType: "image/png" },
      [{ type: "file", data: { type: "data", data: "AAAA" }, mediaType: "image/png" }],
    ],
    ["of version 6", { type: "image-data", ...png }, [file]],
    [
      "with a name",
      { type: "file-data", ...png, filename: "a.png" },
      [{ ...file, filename: "a.png" }],
    ],
    [
      "at an address",
      { type: "image-url", url: image.href },
      [{ type: "file", data: image, mediaType: "image/*" }],
    ],
    ["at no address", { type: "file-url", url: "a.png", mediaType: "image/png" }, []],
    ["that only its provider knows", { type: "file-id", fileId: "f1" }, []],
    ["of version 5", { type: "media", ...png }, [file]],
  ])("with a file %s", (_what, part, files) => {
    const value = [{ type: "text", text: "see" }, part];
    expect(shown({ type: "content", value })).toEqual([text("ok", "see"), ...files]);
  });

  test("beside an answer to the provider's own question keeps that answer", () => {
    const approval = { type: "tool-approval-response", approvalId: "x", approved: true } as const;
    const result = {
      type: "tool-result",
      toolCallId: "deadbeef-0001",
      toolName: "read",
      output: { type: "text", value: "hi" },
    } as const;
    const shownAs = xmlHistory(run(), [{ role: "tool", content: [result, approval] }]);
    expect(shownAs).toEqual([
      { role: "tool", content: [approval] },
      { role: "user", content: [expect.objectContaining({ type: "text" })] },
    ]);
  });
});
