import { googleAI } from "@genkit-ai/google-genai";
import { type Contract, createContract, type JsonSchema } from "@toolcontract/core";
import { createVerdictBook } from "@toolcontract/core/adapter";
import type { Graded, Kit } from "@toolcontract/graded/kit";
import { generateMiddleware, genkit, type MessageData, type Part } from "genkit";

// As on docs/genkit.md:

/** The middleware of a generation: `generate({ …, use: [contractMiddleware(contract, "thread-7")()] })`. */
export function contractMiddleware(contract: Contract, conversationId: string) {
  return generateMiddleware({ name: "toolcontract" }, () => {
    const book = createVerdictBook(contract);
    // Genkit ends the run at a call that it cannot run, so it sees the good calls of a message only; the model sees all.
    const whole = new Map<string, MessageData>();
    return {
      async model(request, context, next) {
        const conversationTools = (request.tools ?? []).map(({ name, inputSchema }) => {
          return { name, inputSchema: (inputSchema ?? {}) as JsonSchema };
        });
        let messages: MessageData[] = request.messages.map((message) => restored(message));
        for (;;) {
          const { candidates = [], ...response } = await next({ ...request, messages }, context);
          // Some plugins still answer with a list of candidates.
          const { message, finishReason } = candidates[0] ?? response;
          const asked = (message?.content ?? []).flatMap(({ toolRequest }) => toolRequest ?? []);
          if (message === undefined || asked.length === 0) return { ...response, ...candidates[0] };
          for (const call of asked) call.ref ??= crypto.randomUUID();
          const verdicts = await book.judge(
            asked.map(({ ref = "", name, input }) => ({ id: ref, name, arguments: input ?? {} })),
            {
              conversationId,
              tools: conversationTools,
              // Some plugins have no reason and say so.
              finishReason: finishReason === "unknown" ? undefined : finishReason,
            },
          );
          const good = new Set(asked.filter((_, index) => verdicts[index]?.status === "admitted"));
          for (const call of good) {
            const verdict = book.of(call.ref ?? "");
            if (verdict?.status === "admitted") call.input = verdict.input;
          }
          const [first] = good;
          if (first !== undefined) {
            whole.set(first.ref ?? "", message as MessageData);
            const content = message.content.filter(
              ({ toolRequest }) => toolRequest === undefined || good.has(toolRequest),
            );
            return { ...candidates[0], ...response, message: { ...message, content } };
          }
          messages = [
            ...messages,
            message as MessageData,
            { role: "tool", content: asked.map(({ ref, name }) => answerTo(ref ?? "", name)) },
          ];
        }
      },
    };

    function answerTo(ref: string, name: string): Part {
      const verdict = book.of(ref);
      const output = { error: verdict?.status === "admitted" ? "" : verdict?.result.content };
      return { toolResponse: { ref, name, output } };
    }

    /** The message as the model wrote it, or its results with the answers to the calls that Genkit did not see. */
    function restored(message: MessageData): MessageData {
      const refs = message.content.map((part) => (part.toolRequest ?? part.toolResponse)?.ref);
      const written = refs.map((ref) => whole.get(ref ?? "")).find((one) => one !== undefined);
      if (written === undefined || message.role !== "tool") return written ?? message;
      const missing = written.content.flatMap(({ toolRequest }) =>
        toolRequest && !refs.includes(toolRequest.ref) ? [toolRequest] : [],
      );
      const answers = missing.map(({ ref = "", name }) => answerTo(ref, name));
      return { ...message, content: [...message.content, ...answers] };
    }
  });
}

// Until here.

/** Tools by JSON Schema, which Genkit validates. */
export const bare: Graded = async (kit) => ask(kit);

export const contract: Graded = async (kit) => {
  const own = createContract({ logger: false });
  await ask(kit, [contractMiddleware(own, "conversation-1")()]);
};

type Use = ReturnType<ReturnType<typeof contractMiddleware>>[];

async function ask({ baseUrl, prompt, tools, run, isStream }: Kit, use: Use = []): Promise<void> {
  const url = baseUrl.replace(/\/v1$/, "");
  const ai = genkit({ plugins: [googleAI({ apiKey: "none", baseUrl: url })] });
  const options = {
    model: googleAI.model("gemini-2.5-flash"),
    prompt,
    maxTurns: 20,
    use,
    tools: tools.map(({ name, description, parameters: inputJsonSchema }) =>
      ai.defineTool({ name, description, inputJsonSchema }, async (input) => run(name, input)),
    ),
  };
  if (isStream) await ai.generateStream(options).response;
  else await ai.generate(options);
}
