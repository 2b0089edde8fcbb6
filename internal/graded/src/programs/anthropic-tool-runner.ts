import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import type { BetaToolRunner } from "@anthropic-ai/sdk/lib/tools/BetaToolRunner";
import {
  type Contract,
  createContract,
  defineTool,
  type RunnableContext,
  toAnthropic,
} from "@toolcontract/core";
import { z } from "zod";
import type { Graded, Kit } from "../kit.ts";

type Runner = Parameters<Anthropic["beta"]["messages"]["toolRunner"]>[0];

export const bare: Graded = async (kit) =>
  ask(
    kit,
    kit.tools.map(({ name, description, parameters }) => {
      const inputSchema = parameters as { type: "object" };
      return betaTool({
        name,
        description,
        inputSchema,
        run: async (input) => kit.run(name, input),
      });
    }),
  );

export const zod: Graded = async (kit) =>
  ask(
    kit,
    kit.tools.map(({ name, description, parameters }) => {
      const inputSchema = z.fromJSONSchema(parameters) as z.ZodObject;
      return betaZodTool({
        name,
        description,
        inputSchema,
        run: async (input) => kit.run(name, input),
      });
    }),
  );

export const contract: Graded = async (kit) => {
  const tools = kit.tools.map(({ name, parameters }) =>
    defineTool({ name, inputSchema: parameters, execute: (args: unknown) => kit.run(name, args) }),
  );
  const declared = kit.tools.map(({ name, description, parameters: input_schema }) => {
    return { type: "custom", name, description, input_schema };
  });
  const texts = new Map<string, string>();
  const runner = runnerOf(kit, declared, keepTexts(texts, fetch));
  const context = { tools, conversationId: "conversation-1" };
  await withContract(createContract({ logger: false }), runner, texts, context);
};

function runnerOf(
  { baseUrl, prompt, isStream }: Kit,
  tools: readonly object[],
  fetch = globalThis.fetch,
): BetaToolRunner<boolean> {
  const baseURL = baseUrl.replace(/\/v1$/, "");
  const client = new Anthropic({ baseURL, apiKey: "none", fetch });
  return client.beta.messages.toolRunner({
    model: "scripted",
    max_tokens: 1_000,
    max_iterations: 20,
    messages: [{ role: "user", content: prompt }],
    tools: tools as Runner["tools"],
    stream: isStream,
  } as Runner);
}

async function ask(kit: Kit, tools: readonly object[]): Promise<void> {
  for await (const message of runnerOf(kit, tools)) {
    if ("finalMessage" in message) await message.finalMessage();
  }
}

// As on docs/anthropic-tool-runner.md:

/** What an event of a stream holds of a call. */
interface StreamEvent {
  readonly content_block?: { readonly type: string; readonly id: string };
  readonly delta?: { readonly type: string; readonly partial_json: string };
}

/** The data of an event, however a gateway writes lines; what is not JSON, such as `[DONE]`, has no members. */
function dataOf(event: string): StreamEvent {
  const [, data = "{}"] = /^data: ?(.*?)\r?$/m.exec(event) ?? [];
  try {
    return (JSON.parse(data) ?? {}) as StreamEvent;
  } catch {
    return {};
  }
}

/**
 * A `fetch` that takes the text of arguments out of streams and keeps it, by the id of the call: the SDK's parser completes
 * what was cut, and throws at what is not JSON.
 */
function keepTexts(texts: Map<string, string>, fetch: typeof globalThis.fetch): typeof fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (isStream !== true || response.body === null) return response;
    let id: string | undefined;
    let rest = "";
    const isKept = (event: string): boolean => {
      const { content_block: block, delta } = dataOf(event);
      if (block !== undefined) id = block.type === "tool_use" ? block.id : undefined;
      if (block !== undefined && id !== undefined) texts.set(id, "");
      if (id === undefined || delta?.type !== "input_json_delta") return false;
      texts.set(id, (texts.get(id) ?? "") + delta.partial_json);
      return true;
    };
    const others = new TransformStream<string, string>({
      transform(chunk, controller) {
        const events = (rest + chunk).split(/(?<=\r?\n\r?\n)/);
        rest = /\n\r?\n$/.test(events.at(-1) ?? "") ? "" : (events.pop() ?? "");
        controller.enqueue(events.filter((event) => !isKept(event)).join(""));
      },
      flush: (controller) => controller.enqueue(rest),
    });
    const body = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(others)
      .pipeThrough(new TextEncoderStream());
    return new Response(body, response);
  };
}

/** The arguments as the model reads them again: the API takes back objects only. */
function inputOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && !Array.isArray(value) ? (value ?? {}) : {};
  } catch {
    return {};
  }
}

/** Runs the conversation; the contract answers the calls of each reply. */
async function withContract(
  toolContract: Contract,
  runner: BetaToolRunner<boolean>,
  texts: ReadonlyMap<string, string>,
  context: RunnableContext,
): Promise<void> {
  for await (const reply of runner) {
    const message = "finalMessage" in reply ? await reply.finalMessage() : reply;
    const content = message.content.map((block) => {
      const text = block.type === "tool_use" ? texts.get(block.id) : undefined;
      return text === undefined ? block : { ...block, input: inputOf(text) };
    });
    const uses = content.filter((block) => block.type === "tool_use");
    if (uses.length === 0) continue;
    const calls = uses.map(({ id, name, input }) => {
      return { id, name, arguments: texts.get(id) || input };
    });
    const turn = { ...context, finishReason: message.stop_reason };
    const handled = await toolContract.handleTurn(calls, turn);
    const results = handled.map(({ result }) => toAnthropic(result));
    runner.pushMessages({ role: "assistant", content }, { role: "user", content: results });
  }
}

// Until here.
