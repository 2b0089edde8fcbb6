import type { AskRequest } from "@toolcontract/core";
import type { AskOfGuardrail, AskingCall, Grants, UsedGrant } from "../grants/index.ts";
import { type Spender, userName } from "../shared/index.ts";
import type { AskedCall } from "./check-context.ts";
import type { Found } from "./read-verdict.ts";
import {
  type AskedTransaction,
  type Ended,
  type RefusedTransaction,
  violatedBy,
  withoutRun,
} from "./judgement.ts";
import type { Engine, TransactionRequest } from "./request.ts";

/** What guardrails found before the tool runs: a refusal, questions to a person, or nothing. */
export function splitFound(found: readonly Found[]): {
  readonly refused?: Ended<RefusedTransaction>;
  readonly asks: readonly Found[];
} {
  const wrong = found.filter(({ asks }) => asks !== true);
  // Nobody is asked about what is refused anyway.
  if (wrong.length > 0) return { refused: withoutRun(violatedBy(wrong)), asks: [] };
  return { asks: found };
}

type Asking = "tool" | "args" | "callId" | "definition";

/** What a person is asked about a call, or how it ends if its arguments cannot be compared with those of a grant. */
export function requestFor(
  call: Pick<AskedCall, Asking | "log"> & { readonly spender: Spender },
  found: readonly Found[],
  grants: Grants,
): AskRequest | undefined {
  if (!hasKnownUser(call)) {
    call.log("The user of a call is not a string or a number, so nobody is asked", {});
    return undefined;
  }
  try {
    return grants.request(askingCall(call), asksOf(found));
  } catch {
    call.log("The arguments of a call cannot be granted, so nobody is asked", {});
    return undefined;
  }
}

/** Whether the grants of a call answer what is asked; nothing is used up. */
export function isGranted(
  call: Pick<AskedCall, Asking> & { readonly spender: Spender },
  found: readonly Found[],
  grants: Grants,
): boolean {
  return goodGrants(call, found, grants) !== undefined;
}

/** A person has agreed, and the grants are used up; or how the call ends if something is left. */
export type Consent =
  | { readonly kind: "given"; readonly used: UsedGrant }
  | Ended<AskedTransaction>;

/** Uses up the grants that answer the questions. */
export async function getConsent(
  request: TransactionRequest,
  found: readonly Found[],
  { grants }: Engine,
): Promise<Consent> {
  const good = goodGrants(request, found, grants);
  const grant = good && (await used(good, request, grants));
  return grant ? { kind: "given", used: grant } : withoutRun({ kind: "asked", found });
}

async function used(
  good: NonNullable<ReturnType<typeof goodGrants>>,
  { log }: TransactionRequest,
  grants: Grants,
): Promise<UsedGrant | undefined> {
  try {
    return await grants.use(good);
  } catch {
    // A grant that may have been used is worth nothing.
    log("The store of grants failed, so a grant was not used", {});
    return undefined;
  }
}

function goodGrants(
  call: Parameters<typeof isGranted>[0],
  found: readonly Found[],
  grants: Grants,
): ReturnType<Grants["answering"]> {
  const asking = askingCall(call);
  if (asking.tokens.length === 0 || !hasKnownUser(call)) return undefined;
  try {
    return grants.answering(asking, asksOf(found));
  } catch {
    return undefined;
  }
}

/** Two objects cannot be told apart, so the grant of one would be good for the other. */
function hasKnownUser({ spender: { context } }: { readonly spender: Spender }): boolean {
  return context?.user === undefined || userName(context) !== undefined;
}

function askingCall({
  tool,
  args,
  callId = "",
  definition,
  spender: { conversationId, knowsConversation, runId, context },
}: Parameters<typeof isGranted>[0]): AskingCall {
  const tokens: unknown = context?.grants ?? [];
  return {
    tool,
    args,
    callId,
    conversationId,
    knowsConversation,
    runId,
    user: userName(context),
    definition,
    tokens: Array.isArray(tokens) ? tokens : [],
  };
}

function asksOf(found: readonly Found[]): readonly AskOfGuardrail[] {
  return found.map(({ type, message }) => ({ guardrail: type, why: message }));
}
