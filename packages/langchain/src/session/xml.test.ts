import { describe, expect, test } from "vitest";
import { LABS } from "../testing/every-langchain.ts";
import { runSession, textAt } from "../testing/run-session.ts";

describe.each(LABS)("XML on langchain $version", (lab) => {
  test("the model is marked so that its tokens are not streamed", async () => {
    const seen: string[] = [];
    const { result } = await runSession(lab, {
      replies: ({ messages }) => {
        const [, nonce = ""] = /<ai-agent-([0-9a-f]{8})-/.exec(textAt(messages, -1)) ?? [];
        const slot = `ai-agent-${nonce}-FINAL`;
        return { text: `<${slot} tool="agent__final_report">Note.</${slot}>` };
      },
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
