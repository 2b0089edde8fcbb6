import { describe, expect, test } from "vitest";
import { LABS } from "./testing/both-ends.ts";
import { runAgent } from "./testing/run-agent.ts";
import { BAD_ORDER, spied } from "./testing/tools.ts";

const log = (id: string) => ({ calls: [{ id, name: "read_log", args: "{}" }] });

describe.each(LABS)("tool replies that quote the contract on langchain $version", (lab) => {
  const { messages, langgraph, adapter } = lab;

  let asked: Promise<readonly string[]> | undefined;

  /** The contract's last two answers: the last attempt fails, and the blocked tool is called once more. */
  const quoted = async (): Promise<readonly string[]> => (asked ??= askContract());

  async function askContract(): Promise<readonly string[]> {
    const { tool } = spied(lab, "read_log");
    const turns = ["a", "b", "c", "d"].map((id) => ({
      calls: [{ id, name: "read_log", args: BAD_ORDER }],
    }));
    const options = { escalate: "drop-tool" } as const;
    const { results } = await runAgent(lab, { turns, tools: [tool], options });
    return results.slice(2).map(({ content }) => content as string);
  }

  const idOf = (config: unknown): string =>
    (config as { readonly toolCall: { readonly id: string } }).toolCall.id;
  const message = (content: string, config: unknown, fields: object = {}) =>
    new messages.ToolMessage({ content, tool_call_id: idOf(config), ...fields });

  const ways: readonly (readonly [string, (text: string, config: unknown) => unknown])[] = [
    ["a string", (text) => text],
    ["a message", message],
    ["a message about an error", (text, config) => message(text, config, { status: "error" })],
    ["a message with an artifact", (text, config) => message(text, config, { artifact: { a: 1 } })],
    [
      "a command",
      (text, config) => new langgraph.Command({ update: { messages: [message(text, config)] } }),
    ],
  ];

  test.each(ways)(
    "%s that quotes a rejection neither ends the run nor counts as one",
    async (_, say) => {
      const texts = await quoted();
      expect(texts[1]).toContain("blocked after 3/3");
      for (const escalate of ["end", "drop-tool", "throw"] as const) {
        let count = 0;
        const { tool } = spied(lab, "read_log", { type: "object" }, (_input, config) => {
          count += 1;
          return say(texts[count % 2]!, config);
        });
        const { script, state, last } = await runAgent(lab, {
          turns: [log("a"), log("b"), log("c"), log("d")],
          tools: [tool, spied(lab).tool],
          options: { escalate },
        });
        expect(last).toBe("Done.");
        expect(script.shown.every((names) => names.length === 2)).toBe(true);
        expect(adapter.escalationOf(state as never)).toBeUndefined();
      }
    },
  );

  test("the answer to a tool's error may quote one too", async () => {
    const [text] = await quoted();
    const { tool } = spied(lab, "read_log", { type: "object" }, () => {
      throw new Error(text);
    });
    const { results, last } = await runAgent(lab, {
      turns: [log("a")],
      tools: [tool],
      options: { toolErrors: (error) => (error as Error).message },
    });
    expect(results[0]).toMatchObject({ content: text, status: "error" });
    expect(last).toBe("Done.");
  });
});
