import type { CallContext } from "@toolcontract/core";
import { isObserving, isRecord, mayBeCalled } from "@toolcontract/core/adapter";
import {
  checkContractCall,
  observeContractCall,
  refuseContractCall,
  runGuarded,
} from "./guarded-run.ts";
import { markExecuted, rejectionMessage } from "./history.ts";
import type { ToolHandler, ToolRequest } from "./hooks.ts";
import { HELD_BACK, isInputRefusal, READ_TOO_LATE, REFUSED_BY_TOOL } from "./host-errors.ts";
import type { MiddlewareGuard } from "./options.ts";
import { messageOfOutcome } from "./outcome.ts";
import { readUnknownToolReply } from "./unknown-tool-reply.ts";
import { positionOf } from "./position.ts";
import { readCall } from "./read-call.ts";
import { ambientOf, originOfHook } from "./runs.ts";
import { anyTool, namesOfTools } from "./tool-definitions.ts";
import { replyOf, replyToError, requestWithArguments, type ToolReply } from "./tool-replies.ts";

/**
 * Answers a call of a tool that the agent does not have. Other middleware may still run it, so the handler decides
 * first, and only LangChain's "not a valid tool" is replaced. A call whose arguments cannot be read is not handed on.
 */
export async function answerUnknownTool(
  request: ToolRequest,
  handler: ToolHandler,
  guard: MiddlewareGuard,
): Promise<ToolReply> {
  const { toolCall: call, state, runtime } = request;
  const { messages } = state;
  const { contract } = guard;
  const { signal } = runtime;
  const tool = anyTool(call.name);
  const origin = originOfHook(guard, runtime);
  const asSent = readCall({ call, messages, origin }, contract);
  const where = { ...origin, position: positionOf(call, messages, ambientOf(runtime)), signal };
  const refuse = async (
    found: Pick<CallContext, "tool" | "tools" | "checked">,
    read = asSent,
  ): Promise<ToolReply> =>
    rejectionMessage({ call }, await refuseContractCall(read, found, where, contract));
  const refuseAmong = async (names: readonly string[]): Promise<ToolReply> => {
    const counted = readCall({ call, messages, origin, declaredTools: new Set(names) }, contract);
    const others = [...new Set(names)].filter((name) => name !== call.name);
    return refuse({ tools: others.map((name) => ({ name })) }, counted);
  };
  if (isObserving(contract)) return observeUnknownTool(request, handler, guard, where);
  const known = [...namesOfTools(guard.offered.of(call.id, origin) ?? [])];
  const given = guard.offered.givenFor(call.id, origin);
  const givenNames = given?.map(({ name }) => name);
  // Other middleware might run it, and no stage could guard it; most likely the model invented the name.
  if (!known.includes(call.name) && !mayBeCalled(call.name, contract))
    return refuseAmong(givenNames ?? known);
  if (asSent.isHeldBack) return refuse({ tool, checked: HELD_BACK });
  let { args }: { args: unknown } = call;
  if (asSent.isUnread) {
    const checked = await checkContractCall(asSent, tool, contract, signal);
    if (checked.status === "invalid") return refuse({ tool, checked });
    if (!isRecord(checked.input)) return refuse({ tool, checked: READ_TOO_LATE });
    args = checked.input;
  }
  const sent = requestWithArguments(request, args);
  try {
    const run = async (): Promise<ToolReply> => handler(sent);
    const replyTo = (value: unknown): ToolReply => messageOfOutcome(call, value);
    const onError = async (thrown: unknown): Promise<ToolReply> => {
      if (isInputRefusal(thrown, args)) throw thrown;
      return replyToError(thrown, sent, guard.toolErrors);
    };
    // Nothing is known of the arguments, but a stage judges this tool like any other.
    const guarded = contract.settings.runsTools
      ? await runGuarded(
          { read: asSent, tool, sent: args, ...where, run, replyTo, replyToError: onError },
          contract,
        )
      : { status: "executed" as const, reply: await run().catch(onError) };
    if (guarded.status !== "executed") return replyOf(request, guarded);
    const { reply } = guarded;
    const names = readUnknownToolReply(reply, call.name);
    if (names === undefined) {
      markExecuted(reply);
      return reply;
    }
    return await refuseAmong(givenNames ?? names);
  } catch (thrown) {
    if (!isInputRefusal(thrown, args)) throw thrown;
    const own = given?.find(({ name, schema }) => name === call.name && schema !== undefined);
    if (own === undefined) return refuse({ tool, checked: REFUSED_BY_TOOL });
    const added = guard.definitions.of(own);
    const judged = await checkContractCall(asSent, added, contract, signal);
    return refuse({ tool: added, checked: judged.status === "valid" ? REFUSED_BY_TOOL : judged });
  }
}

/** Leaves a call of a tool that the agent does not have to LangChain, and counts it. */
async function observeUnknownTool(
  request: ToolRequest,
  handler: ToolHandler,
  guard: MiddlewareGuard,
  where: Parameters<typeof observeContractCall>[2],
): Promise<ToolReply> {
  const { toolCall: call, state } = request;
  const run = async (): Promise<ToolReply> => handler(request);
  const reply = await run().catch(async (thrown: unknown) =>
    replyToError(thrown, request, guard.toolErrors),
  );
  const names = readUnknownToolReply(reply, call.name);
  if (names !== undefined) {
    const origin = originOfHook(guard, request.runtime);
    const declaredTools = new Set(names);
    const read = readCall(
      { call, messages: state.messages, origin, declaredTools },
      guard.contract,
    );
    const tools = names.map((name) => ({ name }));
    await observeContractCall(read, { tools }, where, guard.contract);
  }
  return reply;
}
