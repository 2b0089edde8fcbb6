import { createGuardrails } from "@toolcontract/guardrails";
import type { ModelMessage, ToolSet, UIMessage, UIMessageChunk } from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { steps, textOf } from "./testing/describe-on.ts";
import { describeVersions } from "./testing/every-sdk.ts";
import type { Sdk } from "./testing/sdk.ts";

const quiet = { logger: () => undefined };

/** How a call is judged by something else than its schema. */
const JUDGES = {
  "a guardrail that refuses": (check: () => unknown) => ({
    guardrails: createGuardrails({
      effects: { refund: "irreversible" },
      guardrails: [{ name: "desk", check: () => check() as null }],
    }),
  }),
  "a rule that refuses": (check: () => unknown) => ({
    rules: {
      refund: [
        () => {
          const found = check();
          return found ? [{ message: typeof found === "string" ? found : "ask" }] : [];
        },
      ],
    },
  }),
};

const CLOSED = () => "the desk is closed";
const DOWN = (): never => {
  throw new Error("no answer");
};
const ASKS = () => ({ ask: "a large sum" });

interface Desk {
  judge?: () => unknown;
  asked: number;
  readonly ran: unknown[];
}

function deskOf(sdk: Sdk, kind: keyof typeof JUDGES, own: object = {}) {
  const desk: Desk = { asked: 0, ran: [] };
  const check = (): unknown => {
    desk.asked += 1;
    return desk.judge?.();
  };
  const refund = sdk.ai.tool({
    inputSchema: z.object({ euros: z.number() }),
    execute: async (input: unknown) => (desk.ran.push(input), "done"),
    ...own,
  });
  const settings = sdk.adapter.withContract({
    ...quiet,
    ...JUDGES[kind](check),
    tools: { refund },
    stopWhen: steps(4),
  });
  return { desk, settings };
}

const call = (id: string, euros: unknown) => ({
  calls: [{ id, name: "refund", input: JSON.stringify({ euros }) }],
});
const user = (text: string): UIMessage => ({
  id: text,
  role: "user",
  parts: [{ type: "text", text }],
});

/** The message that a browser keeps. */
async function kept(sdk: Sdk, chunks: readonly UIMessageChunk[]): Promise<UIMessage> {
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  let message: UIMessage | undefined;
  for await (const one of sdk.ai.readUIMessageStream({ stream })) message = one;
  return JSON.parse(JSON.stringify({ ...message, id: "answer" })) as UIMessage;
}

async function modelMessages(
  sdk: Sdk,
  messages: readonly UIMessage[],
  tools: ToolSet,
): Promise<ModelMessage[]> {
  const seen = await sdk.ai.validateUIMessages({
    messages: [...messages],
    tools: tools as never,
  });
  return sdk.ai.convertToModelMessages(seen, { tools });
}

describeVersions((sdk) => {
  describe.each(Object.keys(JUDGES) as (keyof typeof JUDGES)[])("%s today", (kind) => {
    test.each<[string, () => unknown, object]>([
      ["and a tool that ran", CLOSED, {}],
      ["because it fails, and a tool that ran", DOWN, {}],
      ["or asks a person, and a tool that ran", ASKS, {}],
      ["and a tool of the client", CLOSED, { execute: undefined }],
      ["and a tool of the client that asks a person", ASKS, { execute: undefined }],
    ])("does not judge stored calls: it closes, %s", async (_, judge, own) => {
      const { desk, settings } = deskOf(sdk, kind, own);
      const first = sdk.script([call("1", 12), { text: "done" }]);
      const run = await sdk.run("streamText", { model: first, settings });
      const answer = await kept(sdk, run.chunks);
      const part = answer.parts.find(({ type }) => type === "tool-refund")!;
      if ("execute" in own) Object.assign(part, { state: "output-available", output: "done" });
      const before = desk.asked;
      Object.assign(desk, { judge });
      const stored = [user("refund it"), answer, user("thanks")];
      const messages = await modelMessages(sdk, stored, settings.tools);
      expect(desk.asked - before).toBe(0);
      const model = sdk.script([{ text: "welcome" }]);
      const { text } = await sdk.run("streamText", { model, messages, settings });
      expect([text, desk.asked - before]).toEqual(["welcome", 0]);
    });

    test("judges the call that the model makes after them", async () => {
      const { desk, settings } = deskOf(sdk, kind);
      const first = sdk.script([call("1", 12), { text: "done" }]);
      const run = await sdk.run("streamText", { model: first, settings });
      const stored = [user("refund it"), await kept(sdk, run.chunks), user("again")];
      desk.judge = CLOSED;
      const messages = await modelMessages(sdk, stored, settings.tools);
      const model = sdk.script([call("2", 12), { text: "sorry" }]);
      const after = await sdk.run("streamText", { model, messages, settings });
      expect(textOf(after.messages, "2")).toContain("the desk is closed");
      // As the model wrote it.
      expect(JSON.stringify(model.requests[1]?.prompt.at(-2))).toContain('"input":{"euros":12}');
      expect(JSON.stringify(after.chunks)).not.toContain("\u00A0");
      expect(desk.ran).toEqual([{ euros: 12 }]);
    });

    test("judges calls that are made while stored ones are validated", async () => {
      const { desk, settings } = deskOf(sdk, kind);
      const first = sdk.script([call("1", 12), { text: "done" }]);
      const run = await sdk.run("streamText", { model: first, settings });
      const stored = [user("refund it"), await kept(sdk, run.chunks), user("thanks")];
      desk.judge = CLOSED;
      const validations: Promise<unknown>[] = [];
      const validate = (): void =>
        void validations.push(modelMessages(sdk, stored, settings.tools));
      const chats = Array.from({ length: 20 }, async () => {
        validate();
        const model = sdk.script([call("1", 12), { text: "sorry" }]);
        const chat = await sdk.run("streamText", { model, settings, onChunk: validate });
        return textOf(chat.messages, "1");
      });
      for (const text of await Promise.all(chats)) expect(text).toContain("the desk is closed");
      await expect(Promise.all(validations)).resolves.toBeDefined();
      expect(desk.ran).toHaveLength(1);
    });

    test("does not judge stored calls that it refused when they were made", async () => {
      const { desk, settings } = deskOf(sdk, kind);
      desk.judge = CLOSED;
      const first = sdk.script([call("1", 12), call("2", "x"), { text: "sorry" }]);
      const run = await sdk.run("streamText", { model: first, settings });
      const before = desk.asked;
      const stored = [user("refund it"), await kept(sdk, run.chunks), user("thanks")];
      await modelMessages(sdk, stored, settings.tools);
      expect(desk.asked - before).toBe(0);
    });
  });
});

describeVersions(
  (sdk) => {
    describe.each(Object.keys(JUDGES) as (keyof typeof JUDGES)[])("%s today", (kind) => {
      const approval = { needsApproval: true };

      async function waiting(euros = 12) {
        const { desk, settings } = deskOf(sdk, kind, approval);
        const run = await sdk.run("streamText", { model: sdk.script([call("1", 12)]), settings });
        const text = JSON.stringify(await kept(sdk, run.chunks));
        const answer = JSON.parse(text.replaceAll('"euros":12', `"euros":${euros}`)) as UIMessage;
        return { desk, settings, answer };
      }

      test("does not judge a stored call that waits for a person", async () => {
        const { desk, settings, answer } = await waiting();
        desk.judge = CLOSED;
        const stored = [user("refund it"), answer, user("never mind")];
        await expect(modelMessages(sdk, stored, settings.tools)).resolves.toBeDefined();
        expect(desk.ran).toEqual([]);
      });

      test("judges an approved call when it would run", async () => {
        const { desk, settings, answer } = await waiting(13);
        desk.judge = CLOSED;
        const part = answer.parts.find(({ type }) => type === "tool-refund")!;
        const { approval: asked } = part as { readonly approval?: { readonly id: string } };
        Object.assign(part, {
          state: "approval-responded",
          approval: { id: asked?.id, approved: true },
        });
        const messages = await modelMessages(sdk, [user("refund it"), answer], settings.tools);
        const model = sdk.script([{ text: "sorry" }]);
        await sdk.run("streamText", { model, messages, settings });
        expect(textOf(model.requests[0]!.prompt, "1")).toContain("the desk is closed");
        expect(desk.ran).toEqual([]);
      });
    });
  },
  { 5: "approvals are new in version 6" },
);
