import { ToolContractError } from "@toolcontract/core";
import { asksAboutConversation } from "./after.ts";
import type { LimitOptions } from "./shared/index.ts";

/** What of a set of guardrails depends on where a call is made. */
export interface PlacedOptions {
  readonly guardrails: readonly { readonly name: string }[];
  readonly limits?: Readonly<Record<string, LimitOptions>> | undefined;
}

/** Throws if a host that does not know where calls are made could have none of them judged. */
export function checkPlaces(
  where: string,
  known: { readonly conversation: boolean; readonly run: boolean },
  { guardrails, limits = {} }: PlacedOptions,
): void {
  for (const [name, { per, scope = "conversation" }] of Object.entries(limits)) {
    if (per === "run" && !known.run) {
      throw new ToolContractError(
        `${where}: limit '${name}' counts per run, and this framework does not tell its runs apart. Use another period, such as per: "day".`,
      );
    }
    if (scope !== "conversation" || known.conversation || known.run) continue;
    throw new ToolContractError(
      `${where}: limit '${name}' counts by conversation, and this framework does not name it. Pass \`conversationId\`, or another scope, such as scope: "user".`,
    );
  }
  const asking = guardrails.find(asksAboutConversation);
  if (asking === undefined || known.conversation || known.run) return;
  throw new ToolContractError(
    `${where}: guardrail '${asking.name}' asks what ran in the conversation, and this framework does not name it. Pass \`conversationId\`.`,
  );
}
