import type { LanguageModelV4FinishReason } from "@ai-sdk/provider";
import type { ReplyFacts } from "@toolcontract/session";

/** At these the loop of the SDK ends, although proxies and small servers send them with calls that are whole. */
const VAGUE = new Set<unknown>(["length", "other", "unknown"]);

/** The reason of an answer as the loop gets it: whole calls run, whatever word the provider has for its end. */
export function reasonForLoop(
  given: LanguageModelV4FinishReason,
  { calls }: ReplyFacts,
): LanguageModelV4FinishReason {
  const { unified = given } = Object(given) as { readonly unified?: unknown };
  return calls.length > 0 && VAGUE.has(unified) ? withReason(given, "tool-calls") : given;
}

/** Another reason, in the form of the SDK's version: version 5 has a word, later versions an object. */
export function withReason(
  given: LanguageModelV4FinishReason,
  unified: LanguageModelV4FinishReason["unified"],
): LanguageModelV4FinishReason {
  if (typeof given === "string") return unified as unknown as LanguageModelV4FinishReason;
  return { ...given, unified };
}
