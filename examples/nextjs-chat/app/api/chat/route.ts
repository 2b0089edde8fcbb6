import { withContract } from "@toolcontract/ai-sdk";
import {
  convertToModelMessages,
  createUIMessageStream,
  createUIMessageStreamResponse,
  isStepCount,
  streamText,
  tool,
  type UIMessage,
} from "ai";
import { z } from "zod";

const book = tool({
  description: "Books a table",
  inputSchema: z.object({
    restaurant: z.string(),
    day: z.iso.date(),
    guests: z.int().min(1).max(12),
  }),
  execute: async ({ restaurant, day, guests }) => `A table for ${guests} at ${restaurant}, ${day}`,
});

interface Chat {
  readonly id: string;
  readonly messages: UIMessage[];
}

export async function POST(request: Request): Promise<Response> {
  const { id, messages } = (await request.json()) as Chat;
  const stream = createUIMessageStream({
    originalMessages: messages,
    async execute({ writer }) {
      // A contract for each request, so that what escalates goes to the chat that it is of.
      const guarded = withContract({
        tools: { book },
        conversationId: id,
        stopWhen: isStepCount(8),
        onEscalation: ({ toolName }) =>
          writer.write({ type: "data-escalation", data: { toolName } }),
      });
      const result = streamText({
        model: "anthropic/claude-sonnet-4.5",
        messages: await convertToModelMessages(messages, { tools: guarded.tools }),
        ...guarded,
      });
      writer.merge(result.toUIMessageStream());
    },
  });
  return createUIMessageStreamResponse({ stream });
}
