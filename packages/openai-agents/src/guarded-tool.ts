import {
  attachClientToolSearchExecutor,
  getClientToolSearchExecutor,
  getToolSearchRuntimeToolKey,
} from "@openai/agents";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { ToolDefinition } from "@toolcontract/core";
import { failureOfAgent, viewOf } from "@toolcontract/core/adapter";
import { twinOf } from "./agent-tools.ts";
import type { AnyFunctionTool, AnyTool, HostedTool } from "./sdk.ts";
import { failureOfCall, schemaOf } from "./tool.ts";
import type { Verdicts } from "./verdicts.ts";
import { createViews } from "./views.ts";

/** Puts the contract around tools, and recognises them when they are offered to the model. */
export interface GuardedTools {
  readonly guard: (tool: AnyTool) => AnyTool;
  /** The definition of a guarded tool, by the very object of its parameters. */
  readonly definitionOf: (parameters: object) => ToolDefinition | undefined;
}

/** What a guarded tool needs. */
export interface Guarding {
  readonly schemas: Readonly<Record<string, StandardSchemaV1>>;
  readonly verdicts: () => Verdicts;
}

/** Creates the guard of one contract; a tool is guarded once, so that it stays the same object from turn to turn. */
export function guardTools({ schemas, verdicts }: Guarding): GuardedTools {
  const views = createViews();
  const definitions = new WeakMap<object, ToolDefinition>();

  function guard(tool: AnyTool): AnyTool {
    if (tool.type === "hosted_tool") return guardSearch(tool);
    if (tool.type !== "function") return tool;
    return views.of(tool, () => {
      // An object of its own: an agent without the contract may offer the same tool.
      const parameters = { ...tool.parameters };
      const name = getToolSearchRuntimeToolKey(tool) ?? tool.name;
      const validator = schemas[name] ?? schemas[tool.name] ?? schemaOf(tool);
      const definition = { name, inputSchema: parameters, ...(validator && { validator }) };
      definitions.set(parameters, definition);
      const members = { parameters, ...guardedCalls(tool, definition, verdicts) };
      const twin = twinOf(tool);
      return twin ? Object.assign(twin, tool, members) : viewOf(tool, members);
    });
  }

  /** What a search finds is offered to the model from then on. */
  function guardSearch(tool: HostedTool): HostedTool {
    const search = getClientToolSearchExecutor(tool);
    if (search === undefined) return tool;
    return views.of(tool, () => {
      const guarded: typeof search = async (given) => {
        const availableTools = given.availableTools.map(views.behind);
        const found = await search({ ...given, availableTools });
        return found && [found].flat().map(guard);
      };
      return viewOf(tool, attachClientToolSearchExecutor({} as HostedTool, guarded));
    });
  }

  return { guard, definitionOf: (parameters) => definitions.get(parameters) };
}

/** The members of a tool that look a call's verdict up. */
function guardedCalls(
  tool: AnyFunctionTool,
  definition: ToolDefinition,
  verdicts: () => Verdicts,
): Partial<Pick<AnyFunctionTool, "needsApproval">> & Pick<AnyFunctionTool, "invoke"> {
  const { name } = definition;
  const needsApproval: AnyFunctionTool["needsApproval"] = async (context, input, callId) => {
    if (callId === undefined) return tool.needsApproval(context, input, callId);
    const call = { id: callId, name, arguments: input };
    const verdict = await verdicts().on(call, { tool: definition, context });
    // Nobody is asked about a call that cannot run.
    if (verdict.status !== "admitted") return false;
    return tool.needsApproval(context, verdict.output, callId);
  };
  return {
    ...(!verdicts().isObserving && { needsApproval }),
    async invoke(context, input, details) {
      const { toolCall, resumeState, signal } = details ?? {};
      const id = toolCall?.callId ?? "";
      const call = { id, name, arguments: input };
      const book = verdicts();
      const now = { tool: definition, context, signal };
      // A call that goes on has ended once.
      await (resumeState === undefined ? book.due(call, now) : book.on(call, now));
      const run = async (): Promise<unknown> => tool.invoke(context, input, details);
      return runCall(book, { id, name, run, failure: () => failureOfCall(toolCall) });
    },
  };
}

/** A run of a tool. */
interface ToolRun {
  readonly id: string;
  readonly name: string;
  readonly run: () => Promise<unknown>;
  /** What the tool's function threw, if the SDK has answered it. */
  readonly failure: () => { readonly thrown: unknown } | undefined;
}

/** Runs a call. A stage sees that the tool threw; the model reads what the SDK makes of it. */
async function runCall(book: Verdicts, { id, name, run, failure }: ToolRun): Promise<unknown> {
  let answered: { readonly output: unknown; readonly thrown: unknown } | undefined;
  const execute = async (): Promise<unknown> => {
    const output = await run();
    const failed = failure();
    const givenUp = failureOfAgent(name, output);
    if (failed) answered = { output, thrown: failed.thrown };
    else if (givenUp === undefined) return output;
    else answered = { output: givenUp, thrown: new Error(givenUp) };
    throw answered.thrown;
  };
  try {
    return (await book.run(id, execute)).output;
  } catch (thrown) {
    if (isInvalidInput(thrown)) {
      // The SDK hides why, unless it may log what tools are given.
      const { originalError } = thrown as { readonly originalError?: unknown };
      const answer = await book.refusedByHost(id, originalError);
      if (!book.isObserving) return answer;
    }
    if (answered && answered.thrown === thrown) return answered.output;
    throw thrown;
  }
}

/** What the SDK throws if a tool without an `errorFunction` refuses its arguments. */
function isInvalidInput(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.constructor.name === "InvalidToolInputError";
}
