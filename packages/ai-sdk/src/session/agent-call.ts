import { ToolContractError } from "@toolcontract/core";
import { isRecord } from "@toolcontract/core/adapter";
import type { ToolSet } from "ai";
import type { GenerateOptions } from "./generate-options.ts";

/** The options of a run, and what an agent in it got wrong. */
export interface CurrentCall<TOOLS extends ToolSet> {
  readonly options: GenerateOptions<TOOLS>;
  misuse: ToolContractError | undefined;
}

/** What an agent in a session must have. */
interface SessionParts {
  readonly where: string;
  /** The models of the targets, as they were given. */
  readonly models: readonly unknown[];
  readonly tools: object;
  /** The names that the session adds. */
  readonly added: readonly string[];
}

/**
 * The options of an agent's call with those of the run.
 *
 * @throws ToolContractError if the agent has another model or other tools: they would be replaced without a word.
 */
export function agentCall<O extends object, TOOLS extends ToolSet>(
  given: O,
  call: CurrentCall<TOOLS>,
  parts: SessionParts,
): O & GenerateOptions<TOOLS> {
  const fault = faultOf(given, call.options.model, parts);
  if (fault !== undefined) {
    // A sub-agent's is caught by the tool that it runs in.
    call.misuse = new ToolContractError(
      `${parts.where}: ${fault}. Give the agent the model and the tools of the session; a sub-agent needs a session of its own, in the tool that calls it.`,
    );
    throw call.misuse;
  }
  const { activeTools } = given as { readonly activeTools?: unknown };
  const all = { ...given, ...call.options };
  if (!Array.isArray(activeTools) || "activeTools" in call.options) return all;
  return { ...all, activeTools: [...new Set([...activeTools, ...parts.added])] };
}

/** Throws what an agent in the run got wrong, if its tool has caught it. */
export function checkMisuse({ misuse }: Pick<CurrentCall<ToolSet>, "misuse">): void {
  if (misuse) throw misuse;
}

function faultOf(
  given: object,
  ownModel: unknown,
  { models, tools, added }: SessionParts,
): string | undefined {
  const own: { readonly model?: unknown; readonly tools?: unknown } = given;
  const isOwnModel = [undefined, ownModel, ...models].includes(own.model);
  if (!isOwnModel)
    return "the agent's model is not one of the session's targets, and would never be asked";
  if (own.tools === undefined || !isRecord(own.tools)) return undefined;
  const names = Object.keys(own.tools).filter((name) => !added.includes(name));
  const foreign = names.find((name) => !Object.hasOwn(tools, name));
  if (foreign !== undefined)
    return `the agent's tool '${foreign.slice(0, 64)}' is not among the session's, and would not be offered`;
  const missing = Object.keys(tools).find((name) => !names.includes(name));
  return missing === undefined
    ? undefined
    : `the session's tool '${missing.slice(0, 64)}' is not among the agent's, and would be offered`;
}
