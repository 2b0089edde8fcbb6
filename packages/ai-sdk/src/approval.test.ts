import { createContract } from "@toolcontract/core";
import type { ModelMessage } from "ai";
import { expect, test, vi } from "vitest";
import { steps, textOf } from "./testing/describe-on.ts";
import { describeModes } from "./testing/every-sdk.ts";
import type { Mode, Sdk } from "./testing/sdk.ts";
import { bad, quiet, SECRET } from "./testing/travel.ts";

/** A tool that needs approval and has only a JSON Schema. */
function payment({ ai }: Sdk, needsApproval: boolean) {
  const execute = vi.fn(async () => "booked");
  const book = ai.tool({
    inputSchema: ai.jsonSchema({
      type: "object",
      properties: { card: { type: "integer" } },
      required: ["card"],
    }),
    ...(needsApproval && { needsApproval }),
    execute,
  });
  return { execute, tools: { book } };
}

/** The conversation after the call was approved; its arguments may have changed since. */
async function approved(
  sdk: Sdk,
  mode: Mode,
  settings: object,
  card: unknown = 1,
): Promise<readonly ModelMessage[]> {
  const model = sdk.script([{ calls: [bad("call_1", "book", '{"card":1}')] }]);
  const asked = await sdk.run(mode, { model, settings });
  const kept = JSON.stringify(asked.messages).replaceAll('{"card":1}', JSON.stringify({ card }));
  const messages = JSON.parse(kept) as ModelMessage[];
  const { approvalId } = (messages.at(-1)!.content as { approvalId: string }[]).find(
    (part) => "approvalId" in part,
  )!;
  const response = { type: "tool-approval-response", approvalId, approved: true } as const;
  return [...messages, { role: "tool", content: [response] }];
}

describeModes(
  (sdk, mode) => {
    const { withContract } = sdk.adapter;

    test("an approved call that was changed since is refused without showing a value", async () => {
      const { execute, tools } = payment(sdk, true);
      const settings = withContract({ ...quiet, tools, stopWhen: steps(2) });
      const messages = await approved(sdk, mode, settings, SECRET);
      const model = sdk.script([{ text: "It was refused." }]);
      const { chunks } = await sdk.run(mode, { model, messages, settings });
      expect(execute).not.toHaveBeenCalled();
      const text = textOf(model.requests[0]!.prompt, "call_1");
      expect(text).toContain("/card (VAL-002): Type mismatch: expected integer, got string");
      expect(text + JSON.stringify(chunks)).not.toContain(SECRET);
    });

    test("an approved call that was not changed runs, and is counted once", async () => {
      const { execute, tools } = payment(sdk, true);
      const contract = createContract(quiet);
      const settings = withContract({ contract, tools, stopWhen: steps(2) });
      const messages = await approved(sdk, mode, settings);
      const model = sdk.script([{ text: "Booked." }]);
      const { text } = await sdk.run(mode, { model, messages, settings });
      expect(text).toBe("Booked.");
      expect(execute).toHaveBeenCalledExactlyOnceWith({ card: 1 }, expect.anything());
      expect(contract.metrics()).toMatchObject({ calls: 1, admitted: 1 });
    });
  },
  { 5: "approvals are new in version 6" },
);

const NO_SETTING = "toolApproval is new in version 7";

describeModes(
  (sdk, mode) => {
    test("the same if the application asks for approval instead of the tool", async () => {
      const { execute, tools } = payment(sdk, false);
      const guarded = sdk.adapter.withContract({ ...quiet, tools, stopWhen: steps(2) });
      const settings = { ...guarded, toolApproval: { book: "user-approval" } };
      const messages = await approved(sdk, mode, settings, SECRET);
      const model = sdk.script([{ text: "It was refused." }]);
      await sdk.run(mode, { model, messages, settings });
      expect(execute).not.toHaveBeenCalled();
      const text = textOf(model.requests[0]!.prompt, "call_1");
      expect(text).toContain("/card (VAL-002): Type mismatch: expected integer, got string");
      expect(text).not.toContain(SECRET);
    });
  },
  { 6: NO_SETTING, 5: NO_SETTING },
);
