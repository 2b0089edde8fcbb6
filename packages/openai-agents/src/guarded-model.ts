import type { Model } from "@openai/agents";
import { type ShownSchema, viewOf } from "@toolcontract/core/adapter";
import { finishReasonIn } from "./finish-reason.ts";
import { outputInWords } from "./output-in-words.ts";
import type { ModelRequest, ModelResponse } from "./sdk.ts";
import { withSendableItems } from "./sendable-items.ts";
import { createViews } from "./views.ts";
import type { Verdicts } from "./verdicts.ts";

type Output = ModelResponse["output"];

/** Creates the guard of models: each message is judged before the runner reads it. */
export function guardModels(
  verdicts: Verdicts,
  shown: ShownSchema | undefined,
): (model: Model) => Model {
  const views = createViews();
  return (model) => views.of(model, () => viewOf(model, judging(model, verdicts, shown)));
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
  shown: ShownSchema | undefined,
): Pick<Model, "getResponse" | "getStreamedResponse"> {
  const asked = (request: ModelRequest): ModelRequest => {
    const sent = withSendableItems(request);
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
            response.output = outputInWords(response.output as Output, words) as never;
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
