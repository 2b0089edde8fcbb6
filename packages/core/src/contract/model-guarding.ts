import type { ShownSchema } from "@toolcontract/explain/adapter";
import type { Contract } from "./contract.ts";

/** What an adapter needs to judge final answers. */
export interface AnswerJudging {
  /** The contract that judges. */
  readonly contract: Contract;
  /** The conversation, if the host named one. */
  readonly conversationId: string | undefined;
  /** What happens once the attempts of an answer are spent. */
  readonly escalate: "continue" | "throw";
}

/** What an adapter's guard of a model does besides judging calls. */
export interface ModelGuarding {
  /** Writes the schemas that the model is shown. */
  readonly shown: ShownSchema | undefined;
  /** Whether a refused tool is the next request's tool choice. */
  readonly forcesRetry: boolean;
  /** Judges final answers, if they are judged. */
  readonly answers: AnswerJudging | undefined;
}
