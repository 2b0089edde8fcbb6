import type { Contract, Handled } from "@toolcontract/core";

/** A contract and its decision on each call, by the call's id. */
export interface RecordedContract {
  readonly contract: Contract;
  readonly handled: ReadonlyMap<string, Handled>;
}

/** Records a contract's answers; for a call that a person corrected, the first one. */
export function recordAnswers(contract: Contract): RecordedContract {
  const handled = new Map<string, Handled>();
  const recorded: Contract = {
    ...contract,
    async handle(call, context) {
      const answer = await contract.handle(call, context);
      if (!handled.has(call.id)) handled.set(call.id, answer);
      return answer;
    },
  };
  return { contract: recorded, handled };
}
