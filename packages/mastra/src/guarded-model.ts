import {
  type ModelGuarding,
  repairPrompt,
  type ShownSchema,
  streamInWords,
  unifiedFinishReason,
  viewOf,
} from "@toolcontract/core/adapter";
import { askForAnswer } from "./answering-model.ts";
import { withForcedRetry } from "./force-retry.ts";
import type { AnyModel, ModelAnswer, PromptRequest, StreamPart } from "./mastra.ts";
import { callsInPrompt } from "./turns-from-prompt.ts";
import type { Verdicts } from "./verdicts.ts";

/** Guards a model: each message is judged before Mastra reads it. */
export function guardModel<TModel extends object>(
  model: TModel,
  verdicts: Verdicts,
  { shown, forcesRetry, answers }: ModelGuarding,
): TModel {
  const own = model as TModel & Partial<AnyModel>;
  // Models of version 4 of the AI SDK have other streams, and run in `generateLegacy` alone.
  if (!("supportedUrls" in own) || !own.doGenerate || !own.doStream) return model;

  const ask = async (
    method: "doGenerate" | "doStream",
    request: PromptRequest,
  ): Promise<ModelAnswer> => {
    const asked = { ...request, prompt: verdicts.answered(request.prompt) };
    const { request: offered, words } = verdicts.offer(asked);
    const prompt = repairPrompt(asked.prompt, own as { readonly provider?: string });
    const free = { ...offered, prompt };
    const sent = forcesRetry ? withForcedRetry(free) : free;
    const answer = await (own as AnyModel)[method](shown ? withSchemas(sent, shown) : sent);
    const stream =
      words === undefined ? answer.stream : answer.stream.pipeThrough(streamInWords(words));
    return { ...answer, stream: stream.pipeThrough(judging(verdicts, asked)) };
  };
  const answered = async (
    method: "doGenerate" | "doStream",
    request: PromptRequest,
  ): Promise<ModelAnswer> => {
    const asking = async (one: PromptRequest): Promise<ModelAnswer> => ask(method, one);
    return answers ? askForAnswer(request, asking, answers) : asking(request);
  };
  return viewOf(model, {
    doGenerate: async (request: PromptRequest) => answered("doGenerate", request),
    doStream: async (request: PromptRequest) => answered("doStream", request),
  });
}

/** The request with the schemas that the model is shown. */
function withSchemas(request: PromptRequest, shown: ShownSchema): PromptRequest {
  const tools = request.tools?.map((tool) =>
    tool.inputSchema ? { ...tool, inputSchema: shown(tool.name, tool.inputSchema) } : tool,
  );
  return { ...request, ...(tools && { tools }) };
}

/**
 * Holds calls back until the message has ended: only then it is known whether the last one was cut.
 *
 * @remarks The end of a call's arguments is left out: Mastra would make a call of what has arrived, with `{}` in place of text
 * that it cannot read, and run it at once.
 */
function judging(
  verdicts: Verdicts,
  request: PromptRequest,
): TransformStream<StreamPart, StreamPart> {
  const held: StreamPart[] = [];
  const earlier = callsInPrompt(request.prompt);
  const ids = createFreeIds((id) => !earlier.has(id) && verdicts.claim(id));
  type Controller = TransformStreamDefaultController<StreamPart>;

  async function release(controller: Controller, finishReason?: string): Promise<void> {
    const parts = held.splice(0);
    const calls = parts.map(({ toolCallId: id = "", toolName: name = "", input = "" }) => {
      return { id, name, arguments: input };
    });
    const judged = await verdicts.judge(calls, request, finishReason);
    for (const [index, part] of parts.entries()) {
      const call = judged[index];
      controller.enqueue(call ? { ...part, toolName: call.name, input: call.arguments } : part);
    }
  }

  return new TransformStream({
    async transform(part, controller) {
      const { type, id = "", toolCallId = "", providerExecuted = false } = part;
      if (providerExecuted) controller.enqueue(part);
      else if (type === "tool-input-start") controller.enqueue({ ...part, id: ids.begin(id) });
      else if (type === "tool-input-delta") controller.enqueue({ ...part, id: ids.of(id) });
      else if (type === "tool-call") held.push({ ...part, toolCallId: ids.end(toolCallId) });
      else if (type !== "tool-input-end") {
        if (type === "finish") await release(controller, unifiedFinishReason(part.finishReason));
        controller.enqueue(part);
      }
    },
    flush: async (controller) => release(controller),
  });
}

/**
 * The ids of the calls of a message, from `begin` to `end` of each. Models may repeat an id or leave it out; Mastra finds a call by
 * it, and so does the contract.
 */
function createFreeIds(claim: (id: string) => boolean) {
  const own = new Map<string, string[]>();

  function begin(id: string): string {
    const isOwn = id !== "" && claim(id);
    const made = isOwn ? id : `call_${globalThis.crypto.randomUUID().replaceAll("-", "")}`;
    own.set(id, [...(own.get(id) ?? []), made]);
    return made;
  }

  return {
    begin,
    /** The id of the call that is arriving. */
    of: (id: string) => own.get(id)?.at(-1) ?? id,
    end(id: string) {
      // Some models begin no call: it comes as a whole.
      if (!own.get(id)?.length) begin(id);
      return own.get(id)?.shift() ?? id;
    },
  };
}
