import { ToolMessage } from "@langchain/core/messages";
import type { AskRequest, Blocked, Refused } from "@toolcontract/core";
import { createRecentMap, isRecord } from "@toolcontract/core/adapter";
import type { GuardedReply } from "./guarded-run.ts";
import type { ToolRequest } from "./hooks.ts";
import type { NativeCall } from "./messages.ts";

/** What a run is interrupted with if guardrails ask a person about a call. */
export interface AskInterrupt {
  readonly type: "toolcontract.ask";
  /** What the person is asked, and what `guardrails.grant` takes. */
  readonly request: AskRequest;
}

/** Asks a person: `interrupt` of `@langchain/langgraph`, or a function of the application. */
export type AskPerson = (question: AskInterrupt) => unknown;

/** What a person said: the grant of the call, what the model reads in its place, or nothing of use. */
interface Said {
  readonly grant?: string;
  readonly text?: string;
}

/** Asks a person about a call. */
async function askPerson(request: AskRequest, ask: AskPerson): Promise<Said> {
  const reply: unknown = await ask({ type: "toolcontract.ask", request });
  if (typeof reply === "string" && reply !== "") return { text: reply };
  const grant = isRecord(reply) ? reply["grant"] : undefined;
  return typeof grant === "string" ? { grant } : {};
}

/** A run of a call, with the grants of a person. */
type RunWithGrants<TReply> = (grants: readonly string[]) => Promise<GuardedReply<TReply>>;

/** The result of a call, or what a person says in its place. */
type AskedReply<TReply> = { readonly guarded: GuardedReply<TReply> } | { readonly text: string };

/** Runs a call, and asks a person about it if guardrails do: it then runs with the grant. */
export type RunAsking = <TReply>(
  attempt: RunWithGrants<TReply>,
  ask: AskPerson,
  call: string | undefined,
) => Promise<AskedReply<TReply>>;

const MAX_ASKED = 1_000;

/**
 * Creates what runs calls and asks about them.
 *
 * @remarks A resumed graph runs its node from the start, and hands the answers out by the order in which they were asked for: a call that
 * has asked asks again, also if it has run since. `call` names it; without a name nothing is remembered.
 */
export function createAsking(): RunAsking {
  const asked = createRecentMap<string, AskRequest>(MAX_ASKED);
  return async (attempt, ask, call = "") => {
    const before = asked.get(call);
    const again = before && (await askPerson(before, ask));
    if (again?.text !== undefined) return { text: again.text };
    const guarded = await attempt(again?.grant === undefined ? [] : [again.grant]);
    const isAsked = guarded.status === "refused" && guarded.answer.status === "ask";
    if (!isAsked || again) return { guarded };
    if (call !== "") asked.set(call, guarded.answer.request);
    const said = await askPerson(guarded.answer.request, ask);
    if (said.text !== undefined) return { text: said.text };
    return { guarded: said.grant === undefined ? guarded : await attempt([said.grant]) };
  };
}

/** What a person answers the model in place of a call. */
export function saidBy(
  { id = "", name }: Pick<NativeCall, "id" | "name">,
  text: string,
): ToolMessage {
  return new ToolMessage({ status: "error", name, tool_call_id: id, content: text });
}

/**
 * Interrupts the run with the escalation, and returns the reply once the run is resumed: `{ args }` runs the call with
 * these arguments, the model reads a string, and anything else leaves the contract's answer as it is.
 */
export function askAboutEscalation({ runtime }: ToolRequest, answer: Blocked): unknown {
  const escalation = answer.escalation.toJSON();
  return runtime.interrupt?.({ type: "toolcontract.escalation", escalation });
}

/** Whether this call blocked the tool; a person has already seen the escalation of a tool blocked before. */
export function justBlocked(answer: Refused): answer is Blocked {
  return answer.status === "blocked" && !answer.settled;
}
