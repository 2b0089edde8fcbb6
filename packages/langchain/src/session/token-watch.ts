import { AsyncLocalStorage } from "node:async_hooks";
import { mergeConfigs, type RunnableConfig } from "@langchain/core/runnables";
import { readMember } from "@toolcontract/core/adapter";
import type { RequestTimeout } from "@toolcontract/session";
import type { AgentTarget } from "./targets.ts";

/** Called with the text of the request that is under way here. */
const hears = new AsyncLocalStorage<() => void>();

/** Makes a request; `heard` is called for each part of its answer, if the model streams. */
export async function hearing<T>(heard: () => void, ask: () => PromiseLike<T> | T): Promise<T> {
  return hears.run(heard, async () => ask());
}

/** True if there are time limits for the parts of an answer: then models are asked to stream inside the run. */
export function watchesTokens(...times: readonly (RequestTimeout | undefined)[]): boolean {
  return times.some((one) => (one?.firstToken ?? one?.silence) !== undefined);
}

/** Adds what hears of words to the callbacks of a run; LangChain streams inside where a handler prefers it. */
export function withTokenWatch<C extends object>(config: C): C {
  const watch = {
    lc_prefer_streaming: true,
    // In the order of the words, at the place of the request.
    awaitHandlers: true,
    ignoreAgent: true,
    ignoreChain: true,
    ignoreRetriever: true,
    handleLLMNewToken: () => hears.getStore()?.(),
  };
  const { callbacks } = mergeConfigs(config as RunnableConfig, { callbacks: [watch as never] });
  return { ...config, callbacks };
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
