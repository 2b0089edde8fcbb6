import { offerText, type TurnRequest } from "./offer.ts";
import { force, forcedReason, type RunState } from "./state.ts";

/** What a request takes, in the words of the contract. */
export interface RequestTokens {
  readonly ctxTokens: number;
  readonly newTokens: number;
  readonly schemaTokens: number;
  readonly expectedTokens: number;
}

/** Counts the requests of one run. */
export interface RequestCounter {
  /** Projects a request into the window, and forces the last turn if it does not fit. */
  readonly project: (request: TurnRequest) => RequestTokens;
  /** Notes that the last request was answered: the answer's usage contains its messages. */
  readonly answered: () => void;
}

/** Creates the counter of one run. */
export function createRequestCounter(state: RunState): RequestCounter {
  const { limits, guard } = state;
  /** The messages of the last request, and of the last one that was answered, by role and length. */
  let asked: readonly string[] = [];
  let known: readonly string[] = [];

  /** What no answer has counted yet. A prompt that does not continue the last one is counted anew. */
  function count(request: TurnRequest): {
    readonly pendingTokens: number;
    readonly isNew: boolean;
  } {
    const messages = request.messages();
    asked = messages.map(({ role, text }) => `${role} ${text.length}`);
    const isNew = known.length === 0 || known.some((message, index) => message !== asked[index]);
    // The model's own words were counted as its output.
    const added = isNew
      ? messages
      : messages.slice(known.length).filter(({ role }) => role !== "assistant");
    const pendingTokens = added.reduce((sum, { text }) => sum + limits.estimateTokens(text), 0);
    return { pendingTokens, isNew };
  }

  function schemaTokens({ tools }: TurnRequest, isForced: boolean): number {
    const text = offerText(state, tools, isForced);
    return text === "" ? 0 : limits.estimateTokens(text);
  }

  return {
    project(request) {
      const isForced = forcedReason(state) !== undefined;
      const counted = count(request);
      const offered = schemaTokens(request, isForced);
      const first = guard.turn({ ...counted, schemaTokens: offered });
      if (!first.exceeded) return first;
      limits.onEvent({ type: "context-exceeded", guard: "turn_preflight", ...first.exceeded });
      force(state, "context", state.turns);
      const shrunk = guard.turn({ ...counted, schemaTokens: schemaTokens(request, true) });
      if (shrunk.exceeded) {
        const { projected_tokens, limit_tokens } = shrunk.exceeded;
        limits.onEvent({ type: "post-shrink", projected_tokens, limit_tokens });
      }
      return shrunk;
    },
    answered() {
      known = asked;
    },
  };
}
