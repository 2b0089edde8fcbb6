import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { ToolDefinition } from "@toolcontract/core";
import type { AnyFunctionTool, AnyTool } from "./sdk.ts";
import { failureOfCall, schemaOf } from "./tool.ts";
import type { Verdicts } from "./verdicts.ts";

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
  { definition, verdicts }: Guarding & { readonly definition: ToolDefinition },
  tool: AnyFunctionTool,
  parameters: AnyFunctionTool["parameters"],
): AnyFunctionTool {
  const { name } = tool;
  return {
    // Without symbols: the SDK's own check of the output would refuse the contract's answer.
    ...(Object.fromEntries(Object.entries(tool)) as AnyFunctionTool),
    parameters,
    async needsApproval(context, input, callId) {
      const verdict = verdicts().of(callId ?? "");
      // Nobody is asked about a call that cannot run.
      if (verdict !== undefined && verdict.status !== "admitted") return false;
      return tool.needsApproval(context, input, callId);
    },
    async invoke(context, input, details) {
      const id = details?.toolCall?.callId ?? "";
      const book = verdicts();
      // Judged in another process, before a person approved it.
      if (book.of(id) === undefined) await book.late({ id, name, arguments: input }, definition);
      const run = async (): Promise<unknown> => tool.invoke(context, input, details);
      return runCall(book, { id, run, failure: () => failureOfCall(details?.toolCall) });
    },
  };
}

/** A run of a tool. */
interface ToolRun {
  readonly id: string;
  readonly run: () => Promise<unknown>;
  /** What the tool's function threw, if the SDK has answered it. */
  readonly failure: () => { readonly thrown: unknown } | undefined;
}

/** Runs a call. A stage sees that the tool threw; the model reads what the SDK makes of it. */
async function runCall(book: Verdicts, { id, run, failure }: ToolRun): Promise<unknown> {
  let answered: { readonly output: unknown; readonly thrown: unknown } | undefined;
  const execute = async (): Promise<unknown> => {
    const output = await run();
    const failed = failure();
    if (failed === undefined) return output;
    answered = { output, thrown: failed.thrown };
    throw failed.thrown;
  };
  try {
    return (await book.run(id, execute)).output;
  } catch (thrown) {
    if (isInvalidInput(thrown)) {
      // The SDK hides why, unless it may log what tools are given.
      const { originalError } = thrown as { readonly originalError?: unknown };
      return book.refusedByHost(id, originalError);
    }
    if (answered && answered.thrown === thrown) return answered.output;
    throw thrown;
  }
}

/** What the SDK throws if a tool without an `errorFunction` refuses its arguments. */
function isInvalidInput(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.constructor.name === "InvalidToolInputError";
}
