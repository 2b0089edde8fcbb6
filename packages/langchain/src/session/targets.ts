import { ToolContractError } from "@toolcontract/core";
import { isFunction, isRecord, readMember } from "@toolcontract/core/adapter";
import type { Target } from "@toolcontract/session";
import type { WrapModelCallHook } from "langchain";

/** A model as `createAgent` takes it, but not by its name. */
type AgentModel = Parameters<WrapModelCallHook>[0]["model"];

/**
 * A model that attempts may go to.
 *
 * @remarks `settings` are bound to the model as options of the call. Each class decides which ones it honours:
 * set a temperature on the model itself. The same goes for `maxOutputTokens`, which only reserves room in the window.
 *
 * A model class may retry by itself, up to six times, and nobody sees it. The session binds `maxRetries: 0`, which
 * `ChatOpenAI` and `ChatAnthropic` honour with version 1.2 of core; for others, pass `maxRetries: 0` to the class.
 */
export type AgentTarget = Target<AgentModel>;

/** Throws for a target whose model cannot be bound to tools. */
export function checkModel(where: string, { model }: AgentTarget, index: number): void {
  if (isRecord(model) && isFunction.fits(model["invoke"])) return;
  throw new ToolContractError(
    `${where}: targets[${index}]: \`model\` must be a chat model, such as new ChatOpenAI({ model: "gpt-5" }) or what initChatModel returned.`,
  );
}

/** The names that accounting gives a target: those of LangChain's traces, or the class's own. */
export function namesOfTarget({ model }: AgentTarget): {
  readonly provider: string;
  readonly model: string;
} {
  const params = tracedParams(model);
  const type = callOn(model, "_llmType");
  return {
    provider: firstName(params["ls_provider"], type) ?? "unknown",
    model:
      firstName(
        params["ls_model_name"],
        readMember(model, "model"),
        readMember(model, "modelName"),
        type,
      ) ?? "unknown",
  };
}

/** Whether a model is known to be none of the targets: by its name, since models are made anew and wrapped. */
export function isOtherModel(model: unknown, targets: readonly AgentTarget[]): boolean {
  const named = namesOfTarget({ model: model as AgentModel });
  if (named.model === "unknown") return false;
  return !targets.some((target) => {
    const own = namesOfTarget(target);
    return own.model === named.model && own.provider === named.provider;
  });
}

function tracedParams(model: unknown): Readonly<Record<string, unknown>> {
  const params = callOn(model, "getLsParams", {});
  return isRecord(params) ? params : {};
}

/** Calls a method that a class of models may have, and may not expect to be called. */
function callOn(model: unknown, name: string, ...given: readonly unknown[]): unknown {
  try {
    const method = readMember(model, name);
    return typeof method === "function" ? (method.call(model, ...given) as unknown) : undefined;
  } catch {
    return undefined;
  }
}

function firstName(...names: readonly unknown[]): string | undefined {
  return names.find((name): name is string => typeof name === "string" && name !== "");
}
