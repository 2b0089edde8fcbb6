import { isValidationError } from "@mastra/core/tools";
import { resultMarker, type ToolDefinition } from "@toolcontract/core";
import { noted, THREW } from "@toolcontract/core/adapter";
import type { AnyTool, Approval, ToolContext } from "./mastra.ts";
import { definitionFor } from "./definition-for.ts";
import type { Verdicts } from "./verdicts.ts";

/** Puts the contract around the tools of an agent. */
export interface GuardedTools {
  /** The same tool is always the same guarded one. */
  readonly guard: (tools: Readonly<Record<string, AnyTool>>) => Record<string, AnyTool>;
  /** The definition of a guarded tool, by the name that the model is offered. */
  readonly definitionOf: (name: string) => ToolDefinition | undefined;
}

/** Creates the guard of one contract. */
export function guardTools(verdicts: () => Verdicts): GuardedTools {
  const definitions = new Map<string, ToolDefinition>();
  const guarded = new WeakMap<AnyTool, AnyTool>();

  function guard(name: string, tool: AnyTool): AnyTool {
    // A provider's or a client's tool: its arguments are not visible here.
    if (tool.execute === undefined) return tool;
    const definition = definitionFor(name, tool.inputSchema);
    if (definition === undefined) return tool;
    definitions.set(name, definition);
    const known = guarded.get(tool);
    if (known) return known;
    const made = guardTool(name, tool, verdicts);
    guarded.set(tool, made);
    guarded.set(made, made);
    return made;
  }

  return {
    definitionOf: (name) => definitions.get(name),
    guard: (tools) =>
      Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, guard(name, tool)])),
  };
}

function guardTool(name: string, tool: AnyTool, verdicts: () => Verdicts): AnyTool {
  const { requireApproval, needsApprovalFn, needsApproval } = tool;
  const onlyValid =
    (given: boolean | Approval): Approval =>
    async (input, context) => {
      // Nobody is asked about a call that cannot run.
      if (verdicts().isRefused(name, input)) return false;
      return typeof given === "function" ? given(input, context) : given;
    };
  const approval = needsApprovalFn ?? requireApproval;
  const own: AnyTool = {
    execute: async (input, context) => runCall(verdicts(), { tool, input, context }),
    ...(approval && { requireApproval: onlyValid(approval), needsApprovalFn: onlyValid(approval) }),
    ...(needsApproval && { needsApproval: onlyValid(needsApproval) }),
  };
  return new Proxy(tool, {
    get: (target, key) =>
      Object.hasOwn(own, key)
        ? own[key as keyof AnyTool]
        : (Reflect.get(target, key, target) as unknown),
  });
}

/** A call of a tool, as Mastra makes it. */
interface ToolRun {
  readonly tool: AnyTool;
  readonly input: unknown;
  readonly context: ToolContext | undefined;
}

/** The id of the call; undefined if no agent calls the tool, but a step of a workflow. */
export function callIdIn(context: ToolContext | undefined): string | undefined {
  const id = context?.agent?.toolCallId ?? context?.toolCallId;
  return id === "" ? undefined : id;
}

/** Runs a call. What is thrown here, the model reads as an error. */
async function runCall(verdicts: Verdicts, run: ToolRun): Promise<unknown> {
  const { tool, input, context } = run;
  const id = callIdIn(context);
  const verdict = id === undefined ? undefined : verdicts.of(id);
  const isOver = id === undefined || verdicts.hasEnded(id);
  // A tool that waited for something is called again with what it waited for.
  if (verdict?.status !== "admitted" || isOver) return tool.execute?.(input, context);
  try {
    const handled = await verdict.settle(async () => tool.execute?.(input, context));
    verdicts.ended(id, resultMarker(handled.result));
    if (handled.status !== "executed") throw new Answer(handled.result.content);
    if (handled.failure) throw new Answer(handled.failure.message);
    return noted(handled.output, verdict.note());
  } catch (thrown) {
    if (!(thrown instanceof Answer)) {
      verdicts.ended(id, THREW);
    }
    throw thrown;
  }
}

/** What the model reads of a call in place of a result. */
export class Answer extends Error {
  override readonly name: string = "ToolContractAnswer";
}

/** The answer to a call that Mastra refused after the contract had admitted it, by a schema that it made for the model. */
export async function refusedByMastra(
  verdicts: Verdicts,
  context: ToolContext | undefined,
  output: unknown,
): Promise<string | undefined> {
  const id = callIdIn(context);
  const verdict = id === undefined || verdicts.hasEnded(id) ? undefined : verdicts.of(id);
  if (id === undefined || verdict?.status !== "admitted" || !isValidationError(output))
    return undefined;
  // Its own words are about a schema that nobody else has seen.
  const { result } = await verdict.refusedByHost(undefined);
  verdicts.ended(id, resultMarker(result));
  return result.content;
}
