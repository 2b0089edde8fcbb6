export { admitCall } from "./admit.ts";
export { type CallFacts, checkCall, checkRules } from "./check.ts";
export { answerAgain } from "./come-again.ts";
export {
  type CallContext,
  type UnavailableTool,
  type ToolTable,
  checkContext,
  checkTurn,
  findTool,
  toolNames,
} from "./context.ts";
export { CallNotMade, isCallNotMade, isControlFlow, isPause } from "./control-flow.ts";
export { elementOf, positionsIn } from "./element.ts";
export {
  type Admission,
  type Admitted,
  type Asked,
  type Blocked,
  CallFailedError,
  CallRefusedError,
  type CheckResult,
  type Executed,
  type Failed,
  type Handled,
  type HandledInTurn,
  type InvalidArguments,
  type Refused,
  type Rejected,
  type ValidArguments,
  blockedTool,
  refusedWith,
} from "./decision.ts";
export { type AnswerContext, type Answered, judgeAnswer } from "./answer.ts";
export { failedBeside, succeededBeside } from "./close-failing.ts";
export { createFailures } from "./failures.ts";
export { type GivenCall, readGiven, readGivenTurn } from "./read-given.ts";
export { type RejectContext, rejectErrors, skippedCall } from "./reject.ts";
export {
  type AnthropicToolResult,
  type OpenAIToolMessage,
  type ToolMessage,
  type ToolResult,
  type WireOutput,
  noted,
  resultMarker,
  toAnthropic,
  toOpenAI,
  toToolMessage,
} from "./result.ts";
export { answerUnrunnable } from "./observe.ts";
export { createJournal } from "./journal.ts";
export { type NextOffer, type OfferFacts, lastWords, nextOffer } from "./next-offer.ts";
export { isMcpResult, mcpText } from "./mcp-result.ts";
export { withOwnArguments } from "./own-arguments.ts";
export type { CallOptions } from "./options.ts";
export type { AdmittedCall, CallServices, NamedContext } from "./record.ts";
export { runSettled, toAdmission } from "./run.ts";
export {
  THREW,
  hasFailed,
  markerFor,
  readableArguments,
  toTurnResult,
} from "./unmarked-history.ts";
export { identityOfChecked } from "./stage.ts";
export { runInTurn } from "./run-in-turn.ts";
export { type ToolSchemas, createToolPlans } from "./validate.ts";
