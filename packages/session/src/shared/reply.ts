import type { TokenUsage } from "./entries.ts";

/** What a session needs to know of an answer of a model, once it has ended. */
export interface ReplyFacts {
  /** The visible text. */
  readonly text: string;
  /** Whether the model sent any reasoning. */
  readonly hasReasoning: boolean;
  /** Whether it has a file, a source, or a call that the provider ran. */
  readonly hasOther?: boolean;
  /** The calls, in the model's order; provider-executed ones are not among them. */
  readonly calls: readonly { readonly id: string; readonly name: string }[];
  /** Why the answer ended, in the framework's words or the provider's; undefined if neither says it. */
  readonly finishReason?: string;
  /** Whether the answer was read part by part: without a reason, such an answer broke off. */
  readonly streamed?: boolean;
  /** What the provider said inside of the answer about a failure of its own. */
  readonly failed?: string;
  /** True if the answer ended at its length limit in the middle of a call. */
  readonly cut?: boolean;
  /** The tokens that the provider counted; undefined if it reports none. */
  readonly usage?: TokenUsage;
  /** The provider that answered, if the answer names it. */
  readonly provider?: string;
  /** The model that answered, if the answer names it. */
  readonly model?: string;
  /** The provider's own metadata. */
  readonly metadata?: unknown;
}
