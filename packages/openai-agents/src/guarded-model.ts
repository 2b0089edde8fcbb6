import type { Model } from "@openai/agents";
import { viewOf } from "@toolcontract/core/adapter";
import { createViews } from "./views.ts";
import type { Verdicts } from "./verdicts.ts";

/** Creates the guard of models: each message is judged before the runner reads it. */
export function guardModels(verdicts: Verdicts): (model: Model) => Model {
  const views = createViews();
  return (model) => views.of(model, () => viewOf(model, judging(model, verdicts)));
}

function judging(
  model: Model,
  verdicts: Verdicts,
): Pick<Model, "getResponse" | "getStreamedResponse"> {
  return {
    async getResponse(request) {
      verdicts.before(request);
      const response = await model.getResponse(request);
      await verdicts.judge(response, request);
      return response;
    },
    async *getStreamedResponse(request) {
      verdicts.before(request);
      for await (const event of model.getStreamedResponse(request)) {
        if (event.type === "response_done") {
          const { id: responseId, output } = event.response;
          await verdicts.judge({ output, responseId } as never, request);
        }
        yield event;
      }
    },
  };
}
