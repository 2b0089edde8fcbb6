import { importOn } from "@toolcontract/case-table/other-version";
import type { ModelMessage, StepResult, ToolSet, UIMessageChunk } from "ai";
import type * as adapter from "../index.ts";
import type * as session from "../session/index.ts";
import { type Script, type ScriptedModel, scriptedModel } from "./scripted-model.ts";

type Ai = typeof import("ai");
type ScriptArguments = [script: Script, character?: Parameters<typeof scriptedModel>[2]];
type Settings = Omit<Parameters<Ai["generateText"]>[0], "model" | "prompt">;

/** A way to run the loop. */
export type Mode = "generateText" | "streamText" | "agent" | "streaming agent";

/** One supported version of the SDK with the adapter on top of it. */
export interface Sdk {
  readonly version: 5 | 6 | 7;
  readonly ai: Ai;
  readonly adapter: typeof adapter;
  readonly session: typeof session;
  readonly script: (...given: ScriptArguments) => ScriptedModel;
  readonly run: (mode: Mode, input: RunInput) => Promise<RunResult>;
}

/** The input of a run. */
interface RunInput {
  readonly model: Pick<ScriptedModel, "model">;
  readonly messages?: readonly ModelMessage[];
  /** The guarded options, and any others for the SDK. */
  readonly settings: object;
  readonly abortSignal?: AbortSignal;
  /** Called with every part as it is sent to a browser. */
  readonly onChunk?: (chunk: UIMessageChunk) => void;
}

/** The result of a run, in every mode. */
interface RunResult {
  readonly steps: readonly StepResult<ToolSet>[];
  readonly text: string;
  readonly messages: readonly ModelMessage[];
  /** What is sent to a browser; empty unless the mode streams. */
  readonly chunks: readonly UIMessageChunk[];
}

/** All ways to run the loop. */
export const MODES: readonly Mode[] = ["generateText", "streamText", "agent", "streaming agent"];

/** Loads the adapter as in a project with this version of the SDK. */
export async function loadSdk(version: 5 | 6 | 7): Promise<Sdk> {
  const { ai, ...loaded } = version === 7 ? await loadNewest() : await loadOlder(version);
  return {
    version,
    ai,
    ...loaded,
    script: (...given) => scriptedModel(version, ...given),
    run: async (mode, input) => run(ai, mode, input),
  };
}

type Loaded = Pick<Sdk, "ai" | "adapter" | "session">;

async function loadNewest(): Promise<Loaded> {
  return {
    ai: await import("ai"),
    adapter: await import("../index.ts"),
    session: await import("../session/index.ts"),
  };
}

async function loadOlder(version: 5 | 6): Promise<Loaded> {
  const ai = (version === 6 ? await import("ai6") : await import("ai5")) as unknown as Ai;
  const name = `ai${version}`;
  const [loaded, ofSession] = await importOn<[typeof adapter, typeof session]>(
    { name, sources: new URL("../", import.meta.url), packages: { ai: name } },
    "index.ts",
    "session/index.ts",
  );
  return { ai, adapter: loaded, session: ofSession };
}

const HELLO: readonly ModelMessage[] = [{ role: "user", content: "Read my notes." }];

async function run(
  ai: Ai,
  mode: Mode,
  { model, messages, settings, abortSignal, onChunk }: RunInput,
): Promise<RunResult> {
  const given = { ...(settings as Settings), model: model.model };
  const call = { messages: [...(messages ?? HELLO)], ...(abortSignal && { abortSignal }) };
  const history = call.messages;
  if (mode === "generateText")
    return fromResult(await ai.generateText({ ...given, ...call }), history);
  if (mode === "streamText")
    return fromStream(ai.streamText({ ...given, ...call }), history, onChunk);
  const Agent =
    ai.ToolLoopAgent ??
    (ai as unknown as { Experimental_Agent: Ai["ToolLoopAgent"] }).Experimental_Agent;
  const agent = new Agent(given);
  if (mode === "agent") return fromResult(await agent.generate(call), history);
  return fromStream(await agent.stream(call), history, onChunk);
}

interface Result {
  readonly steps: PromiseLike<RunResult["steps"]> | RunResult["steps"];
  readonly text: PromiseLike<string> | string;
  readonly response: PromiseLike<Response> | Response;
  /** New in version 7, where a response has only the messages of its own step. */
  readonly responseMessages?: PromiseLike<readonly ModelMessage[]> | readonly ModelMessage[];
}

interface Response {
  readonly messages: readonly ModelMessage[];
}

async function fromResult(
  given: unknown,
  history: readonly ModelMessage[],
  chunks: readonly UIMessageChunk[] = [],
): Promise<RunResult> {
  const result = given as Result;
  const added = (await result.responseMessages) ?? (await result.response).messages;
  const [steps, text] = [await result.steps, await result.text];
  return { steps, text, messages: [...history, ...added], chunks };
}

async function fromStream(
  given: unknown,
  history: readonly ModelMessage[],
  onChunk?: RunInput["onChunk"],
): Promise<RunResult> {
  const result = given as { toUIMessageStream(options: object): AsyncIterable<UIMessageChunk> };
  const chunks: UIMessageChunk[] = [];
  let failure: unknown;
  const onError = (error: unknown): string => {
    failure = error;
    // The default in version 7; earlier versions mask every text unless the application does this.
    return error instanceof Error ? error.message : String(error);
  };
  for await (const chunk of result.toUIMessageStream({ onError })) {
    chunks.push(chunk);
    onChunk?.(chunk);
    // The SDK reports errors thrown between steps as a part of the stream.
    if (chunk.type === "error") throw failure;
  }
  return fromResult(given, history, chunks);
}
