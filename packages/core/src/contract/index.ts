export { answerText } from "./answer-text.ts";
export type { CheckOptions, HandleContext, RunnableContext } from "./contexts.ts";
export { type Contract, authorOf, isObserving, mayBeCalled } from "./contract.ts";
export type { ContractSettings } from "./contract-settings.ts";
export { createContract } from "./create-contract.ts";
export { type StandardContractOptions, createStandardContract } from "./standard-contract.ts";
export type { Author } from "./author.ts";
export { OPTIONS, type ContractOptions, type OptionName } from "./options.ts";
export type { CallerOptions, WithContract } from "./contract-of.ts";
export { contractFrom } from "./contract-from.ts";
export type { AnswerJudging, ModelGuarding } from "./model-guarding.ts";
export { standardContractFrom } from "./standard-contract-from.ts";
export {
  type JudgeContext,
  type RunEnd,
  type VerdictBook,
  createVerdictBook,
} from "./verdict-book.ts";
export type { ContextSource } from "./with-context.ts";
