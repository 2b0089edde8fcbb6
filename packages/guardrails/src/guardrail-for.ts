import { ToolContractError, type ToolDefinition } from "@toolcontract/core";
import type { Guardrail } from "./shared/index.ts";

/** The arguments that a tool gets: what its validator makes of them, or what its function takes. */
export type ArgumentsOf<Tool> = Tool extends {
  readonly validator: { readonly "~standard": { readonly types?: infer Types } };
}
  ? NonNullable<Types> extends { readonly output: infer Output }
    ? Output
    : unknown
  : Tool extends { readonly execute: (args: infer Args, ...rest: never[]) => unknown }
    ? Args
    : unknown;

/**
 * Makes a guardrail for a tool, or for several that take the same arguments: the `args` of its check are typed, and a tool that is renamed
 * is renamed in it too.
 *
 * @example
 * ```ts
 * const pay = { name: "pay", execute: ({ amount }: { amount: number }) => `paid ${amount}` };
 * guardrailFor(pay, { name: "large", check: ({ args }) => args.amount > 100 && "at most 100" });
 * ```
 * @see docs/guardrails.md
 */
export function guardrailFor<
  Tool extends Pick<ToolDefinition, "name">,
  State = unknown,
  Result = unknown,
>(
  tools: Tool | readonly Tool[],
  definition: Omit<Guardrail<State, ArgumentsOf<Tool>, Result>, "tools">,
): Guardrail<State, ArgumentsOf<Tool>, Result, never> {
  const all: readonly Tool[] = Array.isArray(tools) ? tools : [tools as Tool];
  const names = all.map((tool) => tool?.name);
  if (names.length === 0 || !names.every((name) => typeof name === "string" && name !== "")) {
    throw new ToolContractError(
      "guardrailFor: pass a tool definition, or several, such as guardrailFor(pay, { name, check }).",
    );
  }
  // The compiler knows no name, so the guardrail fits whatever names the option `tools` has; it is checked when guardrails are made.
  return { ...definition, tools: names } as never;
}
