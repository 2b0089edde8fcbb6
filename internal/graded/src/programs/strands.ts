import { Agent, AfterModelCallEvent, BeforeToolCallEvent, tool } from "@strands-agents/sdk";
import { OpenAIModel } from "@strands-agents/sdk/models/openai";
import { createContract } from "@toolcontract/core";
import { z } from "zod";
import type { Graded, Kit, SchemaOf } from "../kit.ts";

/** Tools by JSON Schema, which the SDK does not validate. */
export const bare: Graded = async (kit) =>
  void (await agentOf(kit, (schema) => schema).invoke(kit.prompt));

export const zod: Graded = async (kit) =>
  void (await agentOf(kit, z.fromJSONSchema).invoke(kit.prompt));

/** With a contract in the hook before a tool runs. */
export const contract: Graded = async (kit) => {
  const agent = agentOf(kit, (schema) => schema);
  const own = createContract({ logger: false });
  const tools = kit.tools.map(({ name, parameters: inputSchema }) => ({ name, inputSchema }));
  let turn = 0;
  agent.addHook(AfterModelCallEvent, () => {
    turn += 1;
  });
  agent.addHook(BeforeToolCallEvent, async (event) => {
    const { toolUseId: id, name, input } = event.toolUse;
    const context = { tools, conversationId: "conversation-1", turnId: String(turn) };
    const admission = await own.admit({ id, name, arguments: input }, context);
    if (admission.status !== "admitted") event.cancel = admission.result.content;
    else event.toolUse = { ...event.toolUse, input: admission.input as typeof input };
  });
  await agent.invoke(kit.prompt);
};

function agentOf({ baseUrl, tools, run, isStream }: Kit, schemaOf: SchemaOf): Agent {
  return new Agent({
    model: new OpenAIModel({
      api: "chat",
      modelId: "scripted",
      apiKey: "none",
      clientConfig: { baseURL: baseUrl },
      stream: isStream,
    } as never),
    printer: false,
    tools: tools.map(({ name, description, parameters }) => {
      const inputSchema = schemaOf(parameters) as z.ZodObject;
      return tool({ name, description, inputSchema, callback: async (input) => run(name, input) });
    }),
  });
}
