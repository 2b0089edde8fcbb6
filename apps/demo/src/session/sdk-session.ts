import type { Contract } from "@toolcontract/core";
import { agentSession } from "@toolcontract/ai-sdk/session";
import { APICallError, generateText, isStepCount, jsonSchema, tool, type ToolSet } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { answersIn, type Prompt } from "../ai-sdk/answers.ts";
import { callId, createScriptedLanguageModel } from "../ai-sdk/scripted-language-model.ts";
import type { Scenario } from "../scenario.ts";
import {
  type SessionScenario,
  type Sides,
  toScenario,
  withoutReport,
  withPatience,
} from "./session-scenario.ts";
import { type BareRun, type LimitedRun } from "./session-runs.ts";

const PROMPT = "Please.";

const SIDES: Sides = { limited: runLimited, bare: runBare, idOf: callId };

/** Converts a scenario about a run of the AI SDK to one of the demo. */
export function onSdkSession(scenario: SessionScenario): Scenario {
  return toScenario(scenario, () => SIDES);
}

async function runLimited(scenario: SessionScenario, contract: Contract): Promise<LimitedRun> {
  const { model, turns, requests } = createScriptedLanguageModel(scenario.script);
  const { firstProviderFails: status } = scenario;
  const works = { model };
  const targets = status === undefined ? ([works] as const) : ([failing(status), works] as const);
  const session = agentSession({
    ...scenario.limits,
    targets,
    tools: toolsOf(scenario),
    contract,
    // The demo waits for nobody.
    sleep: async () => undefined,
  });
  const result = await session.run(async (options) => generateText({ ...options, prompt: PROMPT }));
  const offered = requests().map(({ tools = [] }) => tools.map(({ name }) => name));
  return { turns, answers: textsIn(result.conversation), result, offered };
}

/** The same script in the SDK's own loop, with a limit of steps and without retries, which would ask the same provider. */
async function runBare(scenario: SessionScenario): Promise<BareRun> {
  const { firstProviderFails: status, limits } = scenario;
  const scripted = createScriptedLanguageModel(withoutReport(scenario));
  const { turns } = scripted;
  const model = status === undefined ? scripted.model : failing(status).model;
  try {
    const { responseMessages, text } = await withPatience(async (abortSignal) =>
      generateText({
        model,
        tools: toolsOf(scenario),
        prompt: PROMPT,
        stopWhen: isStepCount(limits.maxTurns ?? 20),
        maxRetries: 0,
        abortSignal,
      }),
    );
    return { turns, answers: textsIn(responseMessages), text };
  } catch (error) {
    const answers = answersIn(scripted.requests().at(-1)?.prompt ?? []);
    const read = new Map([...answers].map(([id, { text }]) => [id, text]));
    return { turns, answers: read, text: "", thrown: (error as Error).message };
  }
}

function failing(statusCode: number): { readonly model: MockLanguageModelV4 } {
  const doGenerate = (): never => {
    throw new APICallError({
      message: "The provider is busy",
      url: "https://provider.example/v1",
      requestBodyValues: {},
      statusCode,
    });
  };
  return { model: new MockLanguageModelV4({ provider: "first", doGenerate }) };
}

function toolsOf({ tools }: SessionScenario): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, run }) => [
      name,
      tool({ description, inputSchema: jsonSchema({ type: "object" }), execute: run }),
    ]),
  );
}

function textsIn(messages: readonly unknown[]): ReadonlyMap<string, string> {
  // A tool's result has the parts here that a provider receives.
  const answers = answersIn(messages as Prompt);
  return new Map([...answers].map(([id, { text }]) => [id, text]));
}
