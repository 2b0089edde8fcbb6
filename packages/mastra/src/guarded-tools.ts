import { isValidationError } from "@mastra/core/tools";
import type { ContractSettings, ToolDefinition } from "@toolcontract/core";
import { failureOfAgent, viewOf } from "@toolcontract/core/adapter";
import type { MastraTool, Approval, ToolContext } from "./mastra.ts";
import { definitionFor } from "./definition-for.ts";
import type { ShownCall } from "./turns-from-prompt.ts";
import type { Verdicts } from "./verdicts.ts";

/** Puts the contract around the tools of an agent. */
export interface GuardedTools {
  /** The same tool is always the same guarded one. */
  readonly guard: (tools: Readonly<Record<string, MastraTool>>) => Record<string, MastraTool>;
  /** The definition of a guarded tool, by the name that the model is offered. */
  readonly definitionOf: (name: string) => ToolDefinition | undefined;
  /** Whether a call of this name may wait for a person: Mastra finds a tool by its name or its id. */
  readonly mayAsk: (name: string) => boolean;
}

/** Creates the guard of one contract. */
export function guardTools(
  verdicts: () => Verdicts,
  { unjudged }: Pick<ContractSettings, "unjudged">,
): GuardedTools {
  const definitions = new Map<string, ToolDefinition>();
  const asking = new Set<string | undefined>();
  const guarded = new WeakMap<MastraTool, MastraTool>();

  function guard(key: string, tool: MastraTool): MastraTool {
    const name = offeredName(key);
    // A provider's or a client's tool: its arguments are not visible here.
    if (tool.execute === undefined) return tool;
    const definition = definitionFor(name, tool.inputSchema);
    if (definition === undefined) {
      unjudged(name);
      return tool;
    }
    definitions.set(name, definition);
    if (approvalOf(tool)) for (const one of [name, tool.id]) asking.add(one);
    const known = guarded.get(tool);
    if (known) return known;
    const made = guardTool(name, tool, verdicts);
    guarded.set(tool, made);
    guarded.set(made, made);
    return made;
  }

  return {
    definitionOf: (name) => definitions.get(name),
    mayAsk: (name) => asking.has(name),
    guard: (tools) =>
      Object.fromEntries(Object.entries(tools).map(([key, tool]) => [key, guard(key, tool)])),
  };
}

/** The name under which Mastra offers a tool to the model. */
function offeredName(key: string): string {
  const name = key.replaceAll(/[^\w-]/g, "_");
  return (/^[a-zA-Z_]/.test(name) ? name : `_${name}`).slice(0, 63);
}

/** What decides, in any of its spellings, whether a person must allow a call. */
function approvalOf({ needsApprovalFn, needsApproval, requireApproval }: MastraTool) {
  return needsApprovalFn ?? (needsApproval || requireApproval);
}

function guardTool(name: string, tool: MastraTool, verdicts: () => Verdicts): MastraTool {
  const { requireApproval, needsApprovalFn, needsApproval } = tool;
  const onlyValid =
    (given: boolean | Approval): Approval =>
    async (input, context) => {
      // Nobody is asked about a call that cannot run.
      if (verdicts().isRefused(input)) return false;
      return typeof given === "function" ? given.call(tool, input, context) : given;
    };
  const approval = needsApprovalFn ?? requireApproval;
  const own: MastraTool = {
    execute: async (input, context) =>
      runCall(verdicts(), context, async () =>
        orFailure(name, await tool.execute?.(input, context)),
      ),
    ...(approval && { requireApproval: onlyValid(approval), needsApprovalFn: onlyValid(approval) }),
    ...(needsApproval && { needsApproval: onlyValid(needsApproval) }),
  };
  return viewOf(tool, own);
}

/** The id of the call; undefined if no agent calls the tool, but a step of a workflow. */
export function callIdIn(context: ToolContext | undefined): string | undefined {
  const id = context?.agent?.toolCallId ?? context?.toolCallId;
  return id === "" ? undefined : id;
}

/**
 * The run of a call, if it runs there once: one that goes on with what it waited for runs again. Mastra tells a tool its run as it runs,
 * and nobody before.
 */
function runOf(context: ToolContext | undefined): string | undefined {
  return context?.agent?.resumeData === undefined ? context?.runId : undefined;
}

/** Runs a call, unless it was refused. What is thrown here, the model reads as an error. */
async function runCall(
  verdicts: Verdicts,
  context: ToolContext | undefined,
  execute: () => Promise<unknown>,
): Promise<unknown> {
  const id = callIdIn(context);
  const verdict = id === undefined ? undefined : verdicts.of({ id });
  if (id === undefined || verdict === undefined) return execute();
  // A tool that waited for something is called again with what it waited for.
  if (verdict.status === "admitted" && !verdicts.isUnderWay({ id })) return execute();
  const { isAnswer, output } = await verdicts.run(id, execute, runOf(context));
  if (isAnswer) throw new ContractAnswer(output);
  return output;
}

/** What a tool returns; thrown if it is the text for a person of an agent that gave up. */
function orFailure(name: string, output: unknown): unknown {
  const failure = failureOfAgent(name, output);
  if (failure !== undefined) throw new ContractAnswer(failure);
  return output;
}

/** What the model reads of a call in place of a result. */
export class ContractAnswer extends Error {
  override readonly name: string = "ToolContractAnswer";
}

/** The answer to a call that Mastra refused after the contract had admitted it, by a schema that it made for the model. */
export async function refusedByMastra(
  verdicts: Verdicts,
  call: ShownCall,
  output: unknown,
): Promise<string | undefined> {
  if (!verdicts.isUnderWay(call) || !isValidationError(output)) return undefined;
  // Its own words are about a schema that nobody else has seen.
  const answer = await verdicts.refusedByHost(call.id, undefined);
  return verdicts.isObserving ? undefined : answer;
}
