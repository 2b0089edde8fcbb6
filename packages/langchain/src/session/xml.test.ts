import { describe, expect, test } from "vitest";
import { LABS } from "../testing/every-langchain.ts";
import { resultsOf, rolesOf, runSession, textAt } from "../testing/run-session.ts";
import type { ModelRequest } from "../testing/session-model.ts";
import { spied } from "../testing/tools.ts";

/** The nonce that a request's instructions name. */
function nonceOf({ messages }: Pick<ModelRequest, "messages">): string {
  return /<ai-agent-([0-9a-f]{8})-/.exec(textAt(messages, -1))?.[1] ?? "";
}
const tag = (slot: string, name: string, payload: string) =>
  `<ai-agent-${slot} tool="${name}">${payload}</ai-agent-${slot}>`;
const FINAL = "agent__final_report";

describe.each(LABS)("XML on langchain $version", (lab) => {
  const read = () =>
    spied(lab, "read", { type: "object", properties: { path: { type: "string" } } }, (input) => {
      return `read ${(input as { readonly path: string }).path}`;
    });

  test("calls and the report are tags, and the loop sees native calls", async () => {
    const { tool, runs } = read();
    const { result, model } = await runSession(lab, {
      replies: (request) => {
        const nonce = nonceOf(request);
        if (request.index === 0) {
          const calls = [
            tag(`${nonce}-0001`, "read", '{"path":"a"}'),
            tag(`${nonce}-0002`, "read", "{path: 'b',}"),
          ];
          return { text: `I read.\n${calls.join("\n")}` };
        }
        return { text: `Done.\n${tag(`${nonce}-FINAL`, FINAL, "\nTwo notes.\n")}` };
      },
      tools: [tool],
      options: { transport: "xml" },
    });
    expect(result.error).toBeUndefined();
    expect(result).toMatchObject({
      success: true,
      finalReport: { format: "markdown", content: "Two notes." },
    });
    expect(runs).toEqual([{ path: "a" }, { path: "b" }]);
    expect(rolesOf(result.conversation)).toEqual(["human", "ai", "tool", "tool", "ai", "tool"]);
    expect(resultsOf(result.conversation)).toEqual(["read a", "read b", "ok"]);
    expect(JSON.stringify(result.conversation)).not.toContain("<ai-agent-");
    const [first, second] = model.requests;
    expect(first?.tools).toEqual([]);
    expect(rolesOf(first?.messages)).toEqual(["human", "human"]);
    expect(rolesOf(second?.messages)).toEqual(["human", "ai", "human", "human", "human"]);
    const nonce = nonceOf(second ?? { messages: [] });
    expect(textAt(second?.messages ?? [], 2)).toContain(
      `System Notice: tool response for ${nonce}-0001 (read)`,
    );
    expect(textAt(second?.messages ?? [], -1)).toContain(`${nonce}-0003`);
    expect(result.accounting).toMatchObject([
      { type: "llm" },
      { command: "read", source: "xml" },
      { command: "read", source: "xml" },
      { type: "llm" },
      { command: "agent__final_report_xml", source: "xml" },
    ]);
  });

  test("in xml-final, tools are native and the report is a tag", async () => {
    const { tool } = read();
    const { result, model } = await runSession(lab, {
      replies: (request) =>
        request.index === 0
          ? { calls: [{ id: "c1", name: "read", args: '{"path":"a"}' }] }
          : { text: tag(`${nonceOf(request)}-FINAL`, FINAL, "One note.") },
      tools: [tool],
      options: { transport: "xml-final" },
    });
    expect(result).toMatchObject({ success: true, finalReport: { content: "One note." } });
    expect(model.requests[0]?.tools).toEqual(["read"]);
    expect(rolesOf(model.requests[1]?.messages)).toEqual(["human", "ai", "tool", "human"]);
    expect(result.accounting.at(-1)).toMatchObject({ command: "agent__final_report_xml" });
  });

  test("an unclosed report is taken if the answer ended, and asked for again if it was cut", async () => {
    const { result } = await runSession(lab, {
      replies: (request) => ({
        text: `<ai-agent-${nonceOf(request)}-FINAL tool="${FINAL}">Note ${request.index}`,
        finishReason: request.index === 0 ? "length" : "stop",
      }),
      options: { transport: "xml" },
    });
    expect(result).toMatchObject({ success: true, finalReport: { content: "Note 1" } });
    expect(result.accounting.map(({ status }) => status)).toEqual(["failed", "ok", "ok"]);
  });

  test("the last turn offers the report's tag alone", async () => {
    const { tool, runs } = read();
    const { result, model } = await runSession(lab, {
      replies: (request) => ({
        text: tag(`${nonceOf(request)}-000${request.index + 1}`, "read", "{}"),
      }),
      tools: [tool],
      options: { transport: "xml", maxTurns: 2, maxRetries: 1 },
    });
    expect(runs).toHaveLength(1);
    const last = textAt(model.requests[1]?.messages ?? [], -1);
    expect(last).toContain("-FINAL");
    expect(last).not.toContain('"path"');
    expect(result.success).toBe(false);
  });

  test("the model is marked so that its tokens are not streamed", async () => {
    const { tool } = read();
    const seen: string[] = [];
    const { result } = await runSession(lab, {
      replies: (request) => ({ text: tag(`${nonceOf(request)}-FINAL`, FINAL, "Note.") }),
      tools: [tool],
      options: { transport: "xml" },
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
});
