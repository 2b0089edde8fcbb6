import type { Model } from "@openai/agents";
import {
  type AnswerJudging,
  type ModelGuarding,
  type ShownSchema,
  viewOf,
} from "@toolcontract/core/adapter";
import { createAnswerJudge } from "./answers.ts";
import { finishReasonIn } from "./finish-reason.ts";
import { withForcedRetry } from "./force-retry.ts";
import { outputInWords } from "./output-in-words.ts";
import type { ModelRequest, ModelResponse } from "./sdk.ts";
import { withSendableItems } from "./sendable-items.ts";
import { createViews } from "./views.ts";
import type { Verdicts } from "./verdicts.ts";

/** Creates the guard of models: each message is judged before the runner reads it. */
export function guardModels(verdicts: Verdicts, guarding: ModelGuarding): (model: Model) => Model {
  const { answers } = guarding;
  const views = createViews();
  return (model) =>
    views.of(model, () => {
      const judged = viewOf(model, judging(model, verdicts, guarding));
      return answers ? viewOf(judged, answering(judged, answers)) : judged;
    });
}

/** The request with the schemas that the model is shown. */
function withSchemas(request: ModelRequest, shown: ShownSchema): ModelRequest {
  const tools = request.tools.map((tool) =>
    tool.type === "function"
      ? { ...tool, parameters: shown(tool.name, tool.parameters) as typeof tool.parameters }
      : tool,
  );
  return { ...request, tools };
}

function judging(
  model: Model,
  verdicts: Verdicts,
  { shown, forcesRetry }: ModelGuarding,
): Pick<Model, "getResponse" | "getStreamedResponse"> {
  const asked = (request: ModelRequest): ModelRequest => {
    const sent = withSendableItems(forcesRetry ? withForcedRetry(request) : request);
    return shown ? withSchemas(sent, shown) : sent;
  };
  return {
    async getResponse(request) {
      verdicts.before(request);
      const { request: offered, words } = verdicts.offer(request);
      const given = await model.getResponse(asked(offered));
      const response =
        words === undefined ? given : { ...given, output: outputInWords(given.output, words) };
      await verdicts.judge(response, request, finishReasonIn(response.providerData));
      return response;
    },
    async *getStreamedResponse(request) {
      verdicts.before(request);
      const { request: offered, words } = verdicts.offer(request);
      let reason: string | undefined;
      for await (const event of model.getStreamedResponse(asked(offered))) {
        if (event.type === "model") reason = finishReasonIn(event.event) ?? reason;
        if (event.type === "response_done") {
          const { response } = event;
          if (words !== undefined) {
            response.output = outputInWords(response.output, words) as never;
          }
          const { id: responseId, output, providerData } = response;
          reason = finishReasonIn(providerData) ?? reason;
          await verdicts.judge({ output, responseId } as never, request, reason);
        }
        yield event;
      }
    },
  };
}

/** Judges final answers, and asks for another one in the same turn. */
function answering(
  model: Model,
  answers: AnswerJudging,
): Pick<Model, "getResponse" | "getStreamedResponse"> {
  return {
    async getResponse(request) {
      const judge = createAnswerJudge(request, answers);
      let asked: ModelRequest = request;
      let earlier: ModelResponse | undefined;
      for (;;) {
        const response = await model.getResponse(asked);
        if (earlier) response.usage.add(earlier.usage);
        const again = await judge?.(response, finishReasonIn(response.providerData));
        if (again === undefined) return response;
        asked = again;
        earlier = response;
      }
    },
    async *getStreamedResponse(request) {
      const judge = createAnswerJudge(request, answers);
      if (judge === undefined) {
        yield* model.getStreamedResponse(request);
        return;
      }
      let asked: ModelRequest | undefined = request;
      while (asked !== undefined) {
        const held: StreamedEvent[] = [];
        const current: ModelRequest = asked;
        asked = undefined;
        // What is streamed of an answer that does not fit is not an answer.
        for await (const event of model.getStreamedResponse(current)) {
          held.push(event);
          if (event.type !== "response_done") continue;
          const { id: responseId, output, providerData } = event.response;
          const said = { output, responseId } as Parameters<typeof judge>[0];
          asked = await judge(said, finishReasonIn(providerData));
        }
        if (asked === undefined) yield* held;
      }
    },
  };
}

type StreamedEvent =
  ReturnType<Model["getStreamedResponse"]> extends AsyncIterable<infer Event> ? Event : never;
