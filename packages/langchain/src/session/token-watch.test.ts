import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { ChatGenerationChunk } from "@langchain/core/outputs";
import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { describe, expect, test } from "vitest";
import { LABS } from "../testing/every-langchain.ts";
import type { Lab } from "../testing/langchain.ts";
import { runSession } from "../testing/run-session.ts";
import { sessionModel } from "../testing/session-model.ts";

/** A model that streams these words, and then nothing more. */
function stalling(lab: Lab, words: readonly string[]): BaseChatModel {
  const { AIMessageChunk } = lab.messages;
  class Stalling extends lab.chatModels.BaseChatModel {
    override _llmType(): string {
      return "stalling";
    }
    override bindTools(tools: unknown[], options?: object): never {
      const self = this as unknown as { withConfig(config: object): never };
      return self.withConfig({ ...options, tools });
    }
    override async _generate(): Promise<never> {
      throw new Error("it was to be streamed");
    }
    override async *_streamResponseChunks(
      _messages: unknown,
      _options: unknown,
      run?: CallbackManagerForLLMRun,
    ): AsyncGenerator<ChatGenerationChunk> {
      for (const text of words) {
        const message = new AIMessageChunk({ content: text });
        yield { text, message } as unknown as ChatGenerationChunk;
        await run?.handleLLMNewToken(text);
      }
      await new Promise(() => undefined);
    }
  }
  return new Stalling({});
}

describe.each(LABS)("times for the parts of an answer on langchain $version", (lab) => {
  test.each([
    ["never begins", [], { firstToken: 20 }, "nothing of an answer came within 20 ms"],
    ["stops", ["half", " an"], { silence: 20 }, "the answer went on with nothing within 20 ms"],
  ])("a stream that %s is repeated by the next target", async (_, words, requestTimeout, error) => {
    const next = sessionModel(lab, [{ text: "done" }], "next");
    const { result } = await runSession(lab, {
      replies: [],
      options: {
        targets: [{ model: stalling(lab, words) }, { model: next.model }],
        requestTimeout,
      },
    });
    expect(result).toMatchObject({ success: true, finalReport: { content: "done" } });
    expect(result.accounting).toMatchObject([
      { status: "failed", error },
      { provider: "next", status: "ok" },
    ]);
    expect(JSON.stringify(result.conversation)).not.toContain("half");
  });

  test("a model that cannot stream has the whole time", async () => {
    const slow = sessionModel(lab, async () => {
      await new Promise((resolve) => setTimeout(resolve, 40));
      return { text: "done" };
    });
    const { result } = await runSession(lab, {
      replies: [],
      options: { targets: [{ model: slow.model }], requestTimeout: { firstToken: 10 } },
    });
    expect(result).toMatchObject({ success: true, accounting: [{ status: "ok" }] });
  });
});
