import type { ToolSet } from "ai";
import { expect, test } from "vitest";
import { describeVersions } from "../testing/every-sdk.ts";
import { rawModel, text } from "../testing/raw-model.ts";
import type { AgentSession } from "./index.ts";

describeVersions((sdk) => {
  const messages = [{ role: "user" as const, content: "Hi" }];
  const open = (): AgentSession<ToolSet> =>
    sdk.session.agentSession({
      targets: [{ model: rawModel(sdk.version, [{ content: [text("Hello.")] }]).model }],
      tools: {},
    });

  test("a stream is there at once, for a response beside the run", async () => {
    let stream: ReturnType<typeof sdk.ai.streamText> | undefined;
    const done = open().run((options) => {
      stream = sdk.ai.streamText({ ...options, messages });
      return stream;
    });
    const response = stream?.toUIMessageStreamResponse();
    expect(await response?.text()).toContain("Hello.");
    expect(await done).toMatchObject({ success: true, finalReport: { content: "Hello." } });
  });

  test("a response instead of the stream is an error that says so", async () => {
    const done = open().run((options) =>
      sdk.ai.streamText({ ...options, messages }).toUIMessageStreamResponse(),
    );
    await expect(done).rejects.toThrow(
      "agentSession: the function of run returned a Response, which hides the stream.",
    );
  });
});
