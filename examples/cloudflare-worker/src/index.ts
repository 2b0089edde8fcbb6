import { createOpenAI } from "@ai-sdk/openai";
import { withContract } from "@toolcontract/ai-sdk";
import { generateText, isStepCount, tool } from "ai";
import { z } from "zod";

const weather = tool({
  description: "Returns the weather",
  inputSchema: z.object({ city: z.string(), days: z.int().min(1).max(7) }),
  execute: async ({ city, days }) => `Sunny in ${city} for ${days} days`,
});

interface Env {
  readonly OPENAI_API_KEY: string;
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const openai = createOpenAI({ apiKey: env.OPENAI_API_KEY });
    // Workers forbid code generation; without the option a schema is tried once, then interpreted.
    const guarded = withContract({
      tools: { weather },
      interpreter: true,
      stopWhen: isStepCount(8),
      conversationId: request.headers.get("x-conversation") ?? crypto.randomUUID(),
    });
    const prompt = await request.text();
    const { text } = await generateText({ model: openai.chat("gpt-5"), prompt, ...guarded });
    return new Response(text);
  },
};
