import { parseRejection } from "@toolcontract/core";
import type { ModelMessage, ToolSet, UIMessage, UIMessageChunk } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { steps, textOf } from "./testing/describe-on.ts";
import { describeModes, describeVersions } from "./testing/every-sdk.ts";
import type { Sdk } from "./testing/sdk.ts";

const quiet = { logger: () => undefined };
const bad = (id: string, input = '{"amount":"ten"}') => ({ calls: [{ id, name: "pay", input }] });

function bank({ ai }: Sdk) {
  return {
    pay: ai.tool({ inputSchema: z.object({ amount: z.int() }), execute: async () => "paid" }),
  };
}

/** What a browser keeps from a stream and sends back with the next request. */
async function throughBrowser(
  { ai }: Sdk,
  chunks: readonly UIMessageChunk[],
): Promise<ModelMessage[]> {
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  let message: UIMessage | undefined;
  for await (const state of ai.readUIMessageStream({ stream })) message = state;
  const user = { id: "1", role: "user", parts: [{ type: "text", text: "Pay Bob." }] } as const;
  const kept = JSON.parse(JSON.stringify([user, message])) as UIMessage[];
  return ai.convertToModelMessages(kept);
}

describeModes((sdk, mode) => {
  test("a new request in a new process continues the count", async () => {
    const first = sdk.adapter.withContract({ ...quiet, tools: bank(sdk), stopWhen: steps(2) });
    const before = await sdk.run(mode, {
      model: sdk.script([bad("call_1"), bad("call_2")]),
      settings: first,
    });
    const messages = JSON.parse(JSON.stringify(before.messages)) as ModelMessage[];
    const second = sdk.adapter.withContract({ ...quiet, tools: bank(sdk), stopWhen: steps(1) });
    const model = sdk.script([bad("call_3")]);
    const after = await sdk.run(mode, { model, messages, settings: second });
    expect(parseRejection(textOf(after.messages, "call_3"))).toMatchObject({
      attempt: 3,
      status: "blocked",
      repeats: 1,
      earlier: [{ attempt: 1 }, { attempt: 2 }],
    });
    expect(sdk.adapter.escalationsOf(after.steps)).toMatchObject([
      { attempts: 3, history: [{ attempt: 1 }, { attempt: 2 }, { attempt: 3 }] },
    ]);
  });

  test("a new user message starts a new count, or continues it in scope thread", async () => {
    for (const [scope, attempt] of [
      ["run", 1],
      ["thread", 2],
    ] as const) {
      const settings = sdk.adapter.withContract({
        ...quiet,
        scope,
        tools: bank(sdk),
        stopWhen: steps(1),
      });
      const before = await sdk.run(mode, { model: sdk.script([bad("call_1")]), settings });
      const messages: ModelMessage[] = [...before.messages, { role: "user", content: "Again." }];
      const after = await sdk.run(mode, { model: sdk.script([bad("call_2")]), messages, settings });
      expect(parseRejection(textOf(after.messages, "call_2"))).toMatchObject({ attempt });
    }
  });

  test("a dropped tool stays dropped in the next request of the same turn", async () => {
    const tools = {
      ...bank(sdk),
      balance: sdk.ai.tool({ inputSchema: z.object({}) }) as ToolSet[string],
    };
    const options = { ...quiet, maxAttempts: 1, tools, stopWhen: steps(1) };
    const before = await sdk.run(mode, {
      model: sdk.script([bad("call_1")]),
      settings: sdk.adapter.withContract(options),
    });
    const model = sdk.script([{ text: "How much?" }]);
    await sdk.run(mode, {
      model,
      messages: before.messages,
      settings: sdk.adapter.withContract(options),
    });
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(["balance"]);
    expect(model.requests[0]?.toolChoice).toEqual({ type: "auto" });
  });

  test("the same malformed text is reported as the same", async () => {
    const cut = '{"amount":';
    const settings = sdk.adapter.withContract({ ...quiet, tools: bank(sdk), stopWhen: steps(2) });
    const model = sdk.script([bad("call_1", cut), bad("call_2", cut)]);
    const { messages } = await sdk.run(mode, { model, settings });
    expect(parseRejection(textOf(messages, "call_2"))).toMatchObject({ attempt: 2, repeats: 1 });
  });
});

describeVersions((sdk) => {
  test("a conversation from a browser continues its count after convertToModelMessages", async () => {
    const settings = sdk.adapter.withContract({ ...quiet, tools: bank(sdk), stopWhen: steps(2) });
    const model = sdk.script([bad("call_1"), bad("call_2", "{")]);
    const { chunks } = await sdk.run("streamText", { model, settings });
    const messages = await throughBrowser(sdk, chunks);
    const again = sdk.adapter.withContract({ ...quiet, tools: bank(sdk), stopWhen: steps(1) });
    const after = await sdk.run("streamText", {
      model: sdk.script([bad("call_3")]),
      messages,
      settings: again,
    });
    expect(parseRejection(textOf(after.messages, "call_3"))).toMatchObject({
      attempt: 3,
      status: "blocked",
    });
  });
});
