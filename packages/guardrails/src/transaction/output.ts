import type { MaybePromise } from "../shared/index.ts";
import { type CheckRound, askingAbout } from "./check-context.ts";
import { verdictOf } from "./checks.ts";
import { type TransactionEnd, violatedBy, withoutRun } from "./judgement.ts";
import { type AnyGuardrail, FAILED, type JudgedResult, readResultVerdict } from "./read-verdict.ts";
import type { Engine, TransactionRequest } from "./request.ts";

/** Asks the output guardrails about a result that the model and the host would read. */
export async function judgeOutput(
  end: TransactionEnd,
  request: TransactionRequest,
  engine: Engine,
): Promise<TransactionEnd> {
  // The model reads the message of a failure that has one, and its value reaches nobody.
  const isRead = end.kind === "succeeded" || (end.kind === "failed" && end.message === undefined);
  if (!isRead) return end;
  const output = await outputOf(end.value, request, engine);
  if (output.kind === "shown") return request.observe ? end : { ...end, value: output.value };
  request.log("The result of a call was withheld", { guardrail: output.type });
  const { type, why } = output;
  if (request.observe) {
    await request.observe(
      withoutRun(violatedBy([{ type, message: why, error: { message: why } }])),
    );
    return end;
  }
  return end.kind === "succeeded"
    ? { ...end, value: undefined, withheld: { type, why } }
    : { ...end, value: undefined, message: why, isWithheld: true };
}

/** What the model and the host get of a result. */
type JudgedOutput =
  | { readonly kind: "shown"; readonly value: unknown }
  /** What the tool did stays, and its result is withheld. */
  | { readonly kind: "withheld"; readonly type: string; readonly why: string };

/** Asks the guardrails in their order: each sees what the one before has left of the result. */
async function outputOf(
  value: unknown,
  request: TransactionRequest,
  { store, limits }: Engine,
): Promise<JudgedOutput> {
  // The call has happened: its signal may be aborted, and the result must still be judged.
  const call = { ...request, signal: undefined };
  let shown = value;
  for (const guardrail of request.policy.output) {
    const asking = askingAbout(call, { state: () => store?.state, result: shown });
    const judged = await runOutputCheck(guardrail, asking, limits.guardrail);
    if (judged.kind === "withheld") return { ...judged, type: guardrail.name };
    if (judged.kind === "replaced") shown = judged.value;
  }
  return { kind: "shown", value: shown };
}

/** Asks one of them; one that fails withholds the result. */
function runOutputCheck(
  guardrail: AnyGuardrail,
  asking: CheckRound,
  limit: number,
): MaybePromise<JudgedResult> {
  const asked = { onState: nothing, onLook: nothing, limit };
  return verdictOf(guardrail, asking, asked, {
    read: (verdict) => readResultVerdict(guardrail, verdict),
    failed: () => ({ kind: "withheld", why: FAILED }),
    skipped: () => undefined,
  });
}

const nothing = (): void => undefined;
