import { AsyncLocalStorage } from "node:async_hooks";
import { AIMessage } from "@langchain/core/messages";
import { mergeConfigs, type RunnableConfig } from "@langchain/core/runnables";
import { lastFinishReason, readMember } from "@toolcontract/core/adapter";
import type { RequestTimeout } from "@toolcontract/session";
import { finishReasonOf } from "../messages.ts";
import type { AgentTarget } from "./targets.ts";

/** What is heard of the request that is under way here. */
interface Heard {
  readonly word: () => void;
  /** How each answer ended, by the message's id: the sum of a stream's chunks does not say it in every client. */
  readonly ends: Map<string | undefined, string>;
}

const hears = new AsyncLocalStorage<Heard>();

/**
 * Makes a request, and returns its answer with the reason for its end, if only the callbacks of the model have it. `heard` is called
 * for each part of the answer, if the model streams.
 */
export async function hearing<T>(heard: () => void, ask: () => PromiseLike<T> | T): Promise<T> {
  const here: Heard = { word: heard, ends: new Map() };
  const answer = await hears.run(here, async () => ask());
  if (!AIMessage.isInstance(answer) || finishReasonOf(answer) !== undefined) return answer;
  const reason = here.ends.get(answer.id);
  if (reason !== undefined) {
    answer.response_metadata = { ...answer.response_metadata, finish_reason: reason };
  }
  return answer;
}

/** True if there are time limits for the parts of an answer: then models are asked to stream inside the run. */
export function watchesTokens(...times: readonly (RequestTimeout | undefined)[]): boolean {
  return times.some((one) => (one?.firstToken ?? one?.silence) !== undefined);
}

/** Adds what hears of a request to the callbacks of a run; with `isWatching` of each word, so that LangChain streams inside. */
export function withTokenWatch<C extends object>(config: C, isWatching: boolean): C {
  const watch = {
    // In the order of the words, at the place of the request.
    awaitHandlers: true,
    ignoreAgent: true,
    ignoreChain: true,
    ignoreRetriever: true,
    handleLLMEnd: noteEnd,
    ...(isWatching && {
      lc_prefer_streaming: true,
      handleLLMNewToken: () => hears.getStore()?.word(),
    }),
  };
  const { callbacks } = mergeConfigs(config as RunnableConfig, { callbacks: [watch as never] });
  return { ...config, callbacks };
}

function noteEnd(output: unknown): void {
  const generations = readMember(output, "generations");
  const generation = firstIn(firstIn(generations));
  const reason = readMember(readMember(generation, "generationInfo"), "finish_reason");
  const id = readMember(readMember(generation, "message"), "id");
  if (typeof reason !== "string" || reason === "") return;
  hears.getStore()?.ends.set(typeof id === "string" ? id : undefined, lastFinishReason(reason));
}

function firstIn(list: unknown): unknown {
  return Array.isArray(list) ? (list as readonly unknown[])[0] : undefined;
}

/** Whether a model can stream; one that cannot answers as a whole. */
export function canStream({ model }: AgentTarget): boolean {
  if (readMember(model, "disableStreaming") === true) return false;
  let owner: unknown = model;
  while (typeof owner === "object" && owner !== null) {
    // The base class of all copies of the package, whose own stream only throws.
    if (Object.hasOwn(owner, "_generateUncached")) return false;
    if (Object.hasOwn(owner, "_streamResponseChunks")) return true;
    owner = Object.getPrototypeOf(owner);
  }
  return false;
}
