import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  type Admitted,
  type Contract,
  type ResultMarker,
  resultMarker,
  type ToolDefinition,
} from "@toolcontract/core";
import { noted, THREW } from "@toolcontract/core/adapter";
import type { AnyFunctionTool, AnyTool } from "./sdk.ts";
import { failureOf, schemaOf } from "./tool.ts";
import type { Verdicts } from "./verdicts.ts";

/** Puts the contract around tools, and recognises them when they are offered to the model. */
export interface GuardedTools {
  readonly guard: (tool: AnyTool) => AnyTool;
  /** The definition of a guarded tool, by the very object of its parameters. */
  readonly definitionOf: (parameters: object) => ToolDefinition | undefined;
}

/** What a guarded tool needs. */
export interface Guarding {
  readonly contract: Contract;
  readonly schemas: Readonly<Record<string, StandardSchemaV1>>;
  readonly conversationId: string | undefined;
  readonly verdicts: () => Verdicts;
}

/** Creates the guard of one contract; a tool is guarded once, so that it stays the same object from turn to turn. */
export function guardTools(guarding: Guarding): GuardedTools {
  const guarded = new WeakMap<object, AnyTool>();
  const definitions = new WeakMap<object, ToolDefinition>();
  return {
    definitionOf: (parameters) => definitions.get(parameters),
    guard(tool) {
      if (tool.type !== "function") return tool;
      const known = guarded.get(tool);
      if (known) return known;
      // An object of its own: an agent without the contract may offer the same tool.
      const parameters = { ...tool.parameters };
      const validator = guarding.schemas[tool.name] ?? schemaOf(tool);
      const definition = {
        name: tool.name,
        inputSchema: parameters,
        ...(validator && { validator }),
      };
      definitions.set(parameters, definition);
      const made = guardTool({ ...guarding, definition }, tool, parameters);
      guarded.set(tool, made);
      guarded.set(made, made);
      return made;
    },
  };
}

function guardTool(
  {
    contract,
    definition,
    conversationId,
    verdicts,
  }: Guarding & { readonly definition: ToolDefinition },
  tool: AnyFunctionTool,
  parameters: AnyFunctionTool["parameters"],
): AnyFunctionTool {
  const { name } = tool;
  return {
    // Without symbols: the SDK's own check of the output would refuse the contract's answer.
    ...(Object.fromEntries(Object.entries(tool)) as AnyFunctionTool),
    parameters,
    async needsApproval(context, input, callId) {
      const verdict = verdicts().of(callId);
      // Nobody is asked about a call that cannot run.
      if (verdict !== undefined && verdict.status !== "admitted") return false;
      return tool.needsApproval(context, input, callId);
    },
    async invoke(context, input, details) {
      const id = details?.toolCall?.callId ?? "";
      const known = verdicts().of(id);
      // Judged in another process, before a person approved it.
      const verdict =
        known ??
        (await contract.admit(
          { id, name, arguments: input },
          { tool: definition, conversationId: conversationId ?? "openai-agents", knowsRun: false },
        ));
      if (verdict.status !== "admitted") return verdict.result.content;
      const run = async (): Promise<unknown> => tool.invoke(context, input, details);
      return runAdmitted(verdict, {
        run,
        failure: () => failureOf(details?.toolCall),
        ended: (marker) => verdicts().ended(id, marker),
      });
    },
  };
}

/** A run of a tool. */
interface ToolRun {
  readonly run: () => Promise<unknown>;
  /** What the tool's function threw, if the SDK has answered it. */
  readonly failure: () => { readonly thrown: unknown } | undefined;
  readonly ended: (marker: ResultMarker) => void;
}

/** Runs a call. A stage sees that the tool threw; the model reads what the SDK makes of it. */
async function runAdmitted(verdict: Admitted, { run, failure, ended }: ToolRun): Promise<unknown> {
  let answered: { readonly output: unknown; readonly thrown: unknown } | undefined;
  const execute = async (): Promise<unknown> => {
    const output = await run();
    const failed = failure();
    if (failed === undefined) return output;
    answered = { output, thrown: failed.thrown };
    throw failed.thrown;
  };
  try {
    const handled = await verdict.settle(execute);
    ended(resultMarker(handled.result));
    if (handled.status !== "executed") return handled.result.content;
    if (handled.failure) return handled.failure.message;
    return noted(handled.output, verdict.note());
  } catch (thrown) {
    if (isInputRefusal(thrown)) {
      // The SDK hides why, unless it may log what tools are given.
      const { originalError } = thrown as { readonly originalError?: unknown };
      const { result } = await verdict.refusedByHost(originalError);
      ended(resultMarker(result));
      return result.content;
    }
    ended(THREW);
    if (answered && answered.thrown === thrown) return answered.output;
    throw thrown;
  }
}

/** What the SDK throws if a tool without an `errorFunction` refuses its arguments. */
function isInputRefusal(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.constructor.name === "InvalidToolInputError";
}
