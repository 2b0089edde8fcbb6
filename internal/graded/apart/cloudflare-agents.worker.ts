import { createOpenAI } from "@ai-sdk/openai";
import { withContract } from "@toolcontract/ai-sdk";
import { Agent, getAgentByName } from "agents";
import { generateText, isStepCount, jsonSchema, streamText, tool, type ToolSet } from "ai";
import type { KitTool } from "@toolcontract/conformance";

/** What the kit gives, and whether the tools are under the contract. */
export interface Job {
  readonly baseUrl: string;
  readonly ranUrl: string;
  readonly prompt: string;
  readonly tools: readonly KitTool[];
  readonly isStream: boolean;
  readonly isGuarded: boolean;
}

interface Env {
  /** The namespace of the agents below. */
  readonly Helper: never;
}

/** An agent of Cloudflare: a Durable Object that runs the AI SDK. */
export class Helper extends Agent<Env> {
  async ask(job: Job): Promise<void> {
    const tools = toolsOf(job);
    const stopWhen = isStepCount(20);
    const guarded = job.isGuarded ? withContract({ tools, stopWhen }) : { tools, stopWhen };
    const model = createOpenAI({ baseURL: job.baseUrl, apiKey: "none" }).chat("scripted");
    const call = { model, prompt: job.prompt, ...guarded };
    if (job.isStream) await streamText(call).consumeStream();
    else await generateText(call);
  }
}

function toolsOf({ tools, ranUrl }: Job): ToolSet {
  const made = tools.map(({ name, description, parameters }) => {
    const execute = async (input: unknown) => {
      const body = JSON.stringify({ name, arguments: input });
      return (await fetch(ranUrl, { method: "POST", body })).text();
    };
    return [name, tool({ description, inputSchema: jsonSchema(parameters), execute })];
  });
  return Object.fromEntries(made) as ToolSet;
}

// oxlint-disable-next-line import/no-default-export -- Workers start what is exported by default.
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const agent = await getAgentByName(env.Helper, crypto.randomUUID());
    await (agent as unknown as Helper).ask((await request.json()) as Job);
    return new Response("done");
  },
};
