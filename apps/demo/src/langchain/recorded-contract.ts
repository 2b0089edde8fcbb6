import type { Contract, Handled } from "@toolcontract/core";

/** A contract and what it made of each call, by the call's id. */
export interface RecordedContract {
  readonly contract: Contract;
  readonly handled: ReadonlyMap<string, Handled>;
}

/** Keeps what a contract answers; of a call that a person corrected, what it answered first. */
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
