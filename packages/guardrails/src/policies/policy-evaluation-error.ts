/** Thrown by a check whose policy engine failed; guardrails then refuse the call and show nothing of it to the model. */
export class PolicyEvaluationError extends Error {
  override readonly name: string = "PolicyEvaluationError";
}
