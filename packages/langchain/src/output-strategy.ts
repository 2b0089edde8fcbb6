import { isAnyObject, isRecord } from "@toolcontract/core/adapter";
import type { HookedRequest } from "./hooks.ts";

/** A strategy of LangChain: which schema its output must fit, and how it is read. */
interface LangChainStrategy {
  readonly name?: unknown;
  readonly schema: object;
  parse(said: unknown): unknown;
}

/** By its shape: each copy of the package has its own classes. */
export function isStrategy(format: unknown): format is LangChainStrategy {
  if (!isRecord(format) || "~standard" in format) return false;
  const isOfKind = "tool" in format || "strict" in format;
  return isOfKind && typeof format["parse"] === "function" && isRecord(format["schema"]);
}

type StrategyRequest = Pick<HookedRequest, "responseFormat" | "model">;

/** What a schema is made of: a strategy, or several for a list. */
interface Made {
  readonly tool?: unknown;
  readonly native?: unknown;
}

const made = new WeakMap<object, Made>();

/**
 * The format as strategies, which can be judged. For a schema without one LangChain makes its own choice, of which a middleware hears
 * nothing: the same choice is made here.
 */
export async function withStrategy({ responseFormat, model }: StrategyRequest): Promise<unknown> {
  const given: unknown = responseFormat;
  const isBare = [given].flat().every((one) => isAnyObject(one) && !isStrategy(one));
  if (!isAnyObject(given) || !isBare || "__responseFormatUndefined" in given) return given;
  // A list is one of calls, whatever the model has.
  const kind = !Array.isArray(given) && (await hasOwnFormat(model)) ? "native" : "tool";
  const known = made.get(given);
  if (known?.[kind] !== undefined) return known[kind];
  const strategies = await loadStrategies();
  if (strategies === undefined) return given;
  const { providerStrategy, toolStrategy } = strategies;
  const strategy: unknown =
    kind === "native" ? providerStrategy(given as never) : toolStrategy(given as never);
  made.set(given, { ...known, [kind]: strategy });
  return strategy;
}

/** Only an agent of LangChain asks for it: the bundle of a graph of one's own has no more than LangGraph. */
async function loadStrategies(): Promise<typeof import("langchain") | undefined> {
  try {
    return await import("langchain");
  } catch {
    return undefined;
  }
}

/** Whether a model says of itself that its provider has a format for JSON. */
async function hasOwnFormat(given: unknown): Promise<boolean> {
  const isChosenLate = isAnyObject(given) && "_getModelInstance" in given;
  const model: unknown = isChosenLate
    ? await (given as { _getModelInstance(): unknown })._getModelInstance()
    : given;
  const profile = isAnyObject(model) && "profile" in model ? model.profile : undefined;
  return isRecord(profile) && profile["structuredOutput"] === true;
}
