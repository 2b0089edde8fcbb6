import { ToolContractError } from "@toolcontract/core";
import type { Guardrail, Verdict } from "./shared/index.ts";

/** What follows once a tool has run. */
export interface AfterTools<Earlier extends string = string> {
  /** Refuses calls of these tools from then on, in the same conversation. */
  deny<Later extends string>(
    ...tools: readonly Later[]
  ): Guardrail<unknown, unknown, unknown, Earlier | Later>;
  /** Asks a person about each call of these tools from then on, in the same conversation. */
  ask<Later extends string>(
    ...tools: readonly Later[]
  ): Guardrail<unknown, unknown, unknown, Earlier | Later>;
}

/**
 * Makes guardrails of what has run before in a conversation: what a model has read, it could send.
 *
 * @param earlier - The tools that change what may follow; a call counts as soon as it begins, whatever becomes of it.
 * @example
 * ```ts
 * createGuardrails({ guardrails: [after("read_secret").deny("send_mail")] });
 * ```
 * @see docs/guardrails.md
 */
export function after<Earlier extends string>(...earlier: readonly Earlier[]): AfterTools<Earlier> {
  checkNamedTools("after", earlier);
  const those = earlier.map((tool) => `'${tool}'`).join(" or ");
  const guardrail = <Later extends string>(
    kind: "deny" | "ask",
    later: readonly Later[],
    verdict: (tool: string) => Verdict,
  ): Guardrail<unknown, unknown, unknown, Earlier | Later> => {
    checkNamedTools(`after(…).${kind}`, later);
    const made: Guardrail<unknown, unknown, unknown, Earlier | Later> = {
      name: `${kind} ${later.join(", ")} after ${earlier.join(", ")}`,
      tools: later,
      watches: earlier,
      async check({ tool, ran }) {
        for (const one of earlier) if ((await ran(one)) > 0) return verdict(tool);
        return null;
      },
    };
    asking.add(made);
    return made;
  };
  return {
    deny: (...later) =>
      guardrail("deny", later, (tool) => ({
        message: `'${tool}' may not be called after ${those}`,
        hint: "go on without it",
      })),
    ask: (...later) =>
      guardrail("ask", later, (tool) => ({ ask: `'${tool}' is called after ${those}` })),
  };
}

/** Those that ask about the conversation of each call. */
const asking = new WeakSet<object>();

/** Whether a guardrail was made here, and so needs to know the conversation of each call. */
export function asksAboutConversation(guardrail: object): boolean {
  return asking.has(guardrail);
}

function checkNamedTools(where: string, tools: readonly string[]): void {
  if (tools.length > 0 && tools.every((tool) => typeof tool === "string" && tool !== "")) return;
  throw new ToolContractError(`${where}: name the tools, such as ${where}("send_mail").`);
}
