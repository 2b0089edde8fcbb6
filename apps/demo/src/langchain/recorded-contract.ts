import type { Admitted, Contract, Handled } from "@toolcontract/core";

/** A contract and its decision on each call, by the call's id. */
export interface RecordedContract {
  readonly contract: Contract;
  readonly handled: ReadonlyMap<string, Handled>;
}

/** Records a contract's answers; for a call that a person corrected, the first one. */
export function recordAnswers(contract: Contract): RecordedContract {
  const handled = new Map<string, Handled>();
  const record = (id: string, answer: Handled): void => {
    if (!handled.has(id)) handled.set(id, answer);
  };
  const recorded: Contract = {
    ...contract,
    async admit(call, context) {
      const admission = await contract.admit(call, context);
      if (admission.status !== "admitted") {
        record(call.id, admission);
        return admission;
      }
      const settle: Admitted["settle"] = async (execute, read) => {
        const answer = await admission.settle(execute, read);
        record(call.id, answer);
        return answer;
      };
      return { ...admission, settle };
    },
  };
  return { contract: recorded, handled };
}
