import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { RunStep } from "./runs.ts";

type Names = ReadonlySet<string>;

/**
 * The request without the tools that have no attempts left; the step notes which are dropped.
 *
 * @remarks Tools are taken out of what the SDK offers, because a list of active tools would replace the application's own, which is not
 * visible: in the settings of an agent for example. So a drop never offers a tool that was left out.
 */
export function withoutBlocked(
  request: LanguageModelV4CallOptions,
  blocked: Names,
  { dropped }: Pick<RunStep, "dropped">,
): LanguageModelV4CallOptions {
  const { tools = [], toolChoice } = request;
  // The SDK holds the model to the tool that it must call.
  const forced = toolChoice?.type === "tool" ? toolChoice.toolName : undefined;
  const left = tools.filter(({ name }) => !blocked.has(name) || name === forced);
  dropped.clear();
  // Without any tool, some providers remove the calls and results from the prompt, and with them the explanation.
  if (left.length === tools.length || left.length === 0) return request;
  for (const { name } of tools) if (blocked.has(name) && name !== forced) dropped.add(name);
  return { ...request, tools: left };
}

/**
 * Whether the model may have to call a blocked tool in a step: a provider refuses a choice of a tool that it is not offered. The
 * application's own choice is not visible, so after the first step it is replaced.
 *
 * @param active - The tools that may be offered.
 */
export function mayForceBlocked(
  choice: unknown,
  { active, blocked }: { readonly active: readonly string[]; readonly blocked: Names },
): boolean {
  const left = active.filter((name) => !blocked.has(name));
  return left.length > 0 && left.length < active.length && !isFree(choice, blocked);
}

/** Whether a step's own choice forces no blocked tool. */
function isFree(choice: unknown, blocked: Names): boolean {
  if (choice === undefined) return false;
  const named = typeof choice === "object" && choice !== null && "toolName" in choice;
  return !named || !blocked.has(String(choice.toolName));
}
