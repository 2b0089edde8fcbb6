import { createGuardrails } from "@toolcontract/guardrails";
import { expect, test } from "vitest";
import { z } from "zod";
import { asksIn } from "../approvals.ts";
import { describeVersions } from "../testing/every-sdk.ts";
import { call, rawModel, text } from "../testing/raw-model.ts";

describeVersions(({ version, ai, session: { agentSession } }) => {
  // Version 5 has no approvals.
  test.skipIf(version === 5)(
    "what a session paused for is read by asksIn, and goes on with its grant (F22)",
    async () => {
      const sold: number[] = [];
      const guardrails = createGuardrails({
        effects: { sell: "irreversible" },
        guardrails: [
          { name: "many", check: ({ args }) => args.pieces > 5 && { ask: "more than 5 pieces" } },
        ],
        grants: { secret: "for this test" },
      });
      const { model } = rawModel(version, [
        { content: [call("c1", "sell", { pieces: 8 })] },
        { content: [text("It is sold.")] },
      ]);
      const sell = ai.tool({
        inputSchema: z.object({ pieces: z.number() }),
        execute: ({ pieces }) => {
          sold.push(pieces);
          return "sold";
        },
      });
      const session = agentSession({
        targets: [{ model }],
        tools: { sell },
        guardrails,
        logger: false,
      });
      let offered: object = {};
      const run = async (messages: readonly object[]) =>
        session.run(async (options) => {
          offered = options.tools;
          return ai.generateText({ ...options, messages: messages as never });
        });
      const asked = [{ role: "user", content: "Sell 8" }];
      const paused = await run(asked);
      expect(paused).toMatchObject({ success: false, error: "paused: a call waits for approval" });
      const { conversation } = paused;
      const asks = await asksIn(session.tools, conversation);
      expect(asks).toMatchObject([{ toolCallId: "c1" }]);
      expect(await asksIn(offered as never, conversation)).toHaveLength(1);
      const [{ approvalId, request }] = asks as [(typeof asks)[number]];
      const reason = await guardrails.grant(request, { by: "operator", expiresIn: 60_000 });
      const answer = {
        role: "tool",
        content: [{ type: "tool-approval-response", approvalId, approved: true, reason }],
      };
      const done = await run([...conversation, answer]);
      expect(done).toMatchObject({ success: true, finalReport: { content: "It is sold." } });
      expect(sold).toEqual([8]);
    },
  );
});
