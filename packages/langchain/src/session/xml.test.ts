import type { AIMessage } from "@langchain/core/messages";
import { xml, xmlFinal } from "@toolcontract/session/xml";
import { describe, expect, test } from "vitest";
import { LABS } from "../testing/every-langchain.ts";
import { runSession, textAt } from "../testing/run-session.ts";
import type { Replies, Reply } from "../testing/session-model.ts";
import { spied } from "../testing/tools.ts";

/** Answers whose tags have the nonce that the first request offers. */
function inTags(...replies: readonly Reply[]): Replies {
  return ({ messages, index }) => {
    const [, nonce = ""] = /<ai-agent-([0-9a-f]{8})-/.exec(textAt(messages, -1)) ?? [];
    const reply = replies[index] ?? replies.at(-1)!;
    return "text" in reply
      ? { ...reply, text: reply.text?.replaceAll("NONCE", nonce) ?? "" }
      : reply;
  };
}

const tag = (slot: string, tool: string, payload: string): string =>
  `<ai-agent-NONCE-${slot} tool="${tool}">${payload}</ai-agent-NONCE-${slot}>`;
const REPORT = { text: tag("FINAL", "agent__final_report", "Note.") };

describe.each(LABS)("XML on langchain $version", (lab) => {
  const read = () => spied(lab, "read", { type: "object" }, () => "a note");

  test("the model is marked so that its tokens are not streamed", async () => {
    const seen: string[] = [];
    const { result } = await runSession(lab, {
      replies: inTags(REPORT),
      options: { transport: xml },
      config: {
        callbacks: [
          {
            handleChatModelStart: (...given: unknown[]) =>
              void seen.push(...((given[5] ?? []) as string[])),
          },
        ],
      },
    });
    expect(result.success).toBe(true);
    expect(seen).toContain("langsmith:nostream");
  });

  test("a call in a tag is kept as a native one, after the text, and the provider's reason is not", async () => {
    const { tool, runs } = read();
    const { result } = await runSession(lab, {
      replies: inTags(
        { text: `I look. ${tag("0001", "read", '{"path":"a"}')}`, finishReason: "stop" },
        REPORT,
      ),
      tools: [tool],
      options: { transport: xml },
    });
    expect(result.success).toBe(true);
    expect(runs).toEqual([{ path: "a" }]);
    const said = result.conversation[1] as AIMessage;
    expect(said.content).toBe("I look. ");
    expect(said.response_metadata).toMatchObject({ finish_reason: "tool-calls" });
    expect(said.tool_calls).toEqual([
      {
        type: "tool_call",
        id: expect.stringMatching(/-0001$/) as unknown,
        name: "read",
        args: { path: "a" },
        toolcontract: { rawText: '{"path":"a"}' },
      },
    ]);
  });

  test.each([
    ["malformed", '{"path": "a",}', { path: "a" }],
    ["a list", '["a"]', {}],
    ["a string", '"a"', {}],
    ["null", "null", {}],
  ])(
    "arguments that are no object stay as they were written, in the next request too: %s",
    async (_, text, args) => {
      const { result, model } = await runSession(lab, {
        replies: inTags({ text: `I look. ${tag("0001", "read", text)}` }, REPORT),
        tools: [read().tool],
        options: { transport: xml },
      });
      const said = result.conversation[1] as AIMessage;
      const id = said.tool_calls?.[0]?.id;
      expect(said.tool_calls).toEqual([
        { type: "tool_call", id, name: "read", args, toolcontract: { rawText: text } },
      ]);
      const [, shown, answered] = model.requests[1]?.messages ?? [];
      expect(shown).toMatchObject({
        content: `I look. \n<ai-agent-${id} tool="read">${text}</ai-agent-${id}>`,
        tool_calls: [],
      });
      expect(answered?.content).toContain(`<request>\n${text}\n</request>`);
    },
  );

  test("a number that does not fit is refused, as it is in a native call", async () => {
    const { tool, runs } = read();
    const { result } = await runSession(lab, {
      replies: inTags(
        { text: tag("0001", "read", '{"path":"a","line":49301234567890123456}') },
        REPORT,
      ),
      tools: [tool],
      options: { transport: xml },
    });
    expect(runs).toEqual([]);
    expect(JSON.stringify(result.conversation)).toContain("VAL-003");
  });

  test("native calls stay before those of tags", async () => {
    const { tool, runs } = read();
    const native = { id: "c1", name: "read", args: '{"path":"a"}' };
    const { result } = await runSession(lab, {
      replies: inTags({ text: `I look. ${REPORT.text}`, calls: [native] }),
      tools: [tool],
      options: { transport: xmlFinal },
    });
    expect(result.success).toBe(true);
    expect(runs).toEqual([{ path: "a" }]);
    const said = result.conversation[1] as AIMessage;
    expect(said.content).toBe("I look. ");
    expect(said.tool_calls).toMatchObject([
      { id: "c1", name: "read", args: { path: "a" } },
      { name: "agent__final_report", args: { content: "Note." } },
    ]);
  });
});
