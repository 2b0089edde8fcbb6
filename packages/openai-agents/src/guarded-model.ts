import type { Model } from "@openai/agents";
import { viewOf } from "@toolcontract/core/adapter";
import { finishReasonIn } from "./finish-reason.ts";
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
      await verdicts.judge(response, request, finishReasonIn(response.providerData));
      return response;
    },
    async *getStreamedResponse(request) {
      verdicts.before(request);
      let reason: string | undefined;
      for await (const event of model.getStreamedResponse(request)) {
        if (event.type === "model") reason = finishReasonIn(event.event) ?? reason;
        if (event.type === "response_done") {
          const { id: responseId, output, providerData } = event.response;
          reason = finishReasonIn(providerData) ?? reason;
          await verdicts.judge({ output, responseId } as never, request, reason);
        }
        yield event;
      }
    },
  };
}
