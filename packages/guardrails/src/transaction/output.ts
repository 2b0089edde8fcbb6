import type { AnyGuardrail, JudgedResult } from "./read-verdict.ts";
import { runOutputCheck } from "./checks.ts";
import type { Engine, TransactionRequest } from "./request.ts";

/** What the model and the host get of a result. */
export type JudgedOutput =
  | { readonly kind: "shown"; readonly value: unknown }
  /** What the tool did stays, and its result is withheld. */
  | { readonly kind: "withheld"; readonly type: string; readonly why: string };

/** Asks the output guardrails in their order: each sees what the one before has left of the result. */
export async function outputOf(
  value: unknown,
  request: TransactionRequest,
  { store, limits }: Engine,
): Promise<JudgedOutput> {
  let shown = value;
  for (const guardrail of request.policy.output) {
    const judged = await ask(guardrail, shown, request, { store, limits });
    if (judged.kind === "withheld") return { ...judged, type: guardrail.name };
    if (judged.kind === "replaced") shown = judged.value;
  }
  return { kind: "shown", value: shown };
}

async function ask(
  guardrail: AnyGuardrail,
  result: unknown,
  request: TransactionRequest,
  { store, limits }: Pick<Engine, "store" | "limits">,
): Promise<JudgedResult> {
  const seen = { state: () => store?.state, result };
  // The call has happened: its signal may be aborted, and the result must still be judged.
  const call = { ...request, signal: undefined };
  return runOutputCheck(guardrail, call, seen, limits.guardrail);
}
