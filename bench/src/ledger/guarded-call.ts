import { type Ledger, createContract } from "@toolcontract/core";
import { createGuardrails } from "@toolcontract/guardrails";

/** What makes calls that pay 1, of one user after the other; without a ledger, calls that no limit counts. */
export function guardedCall(ledger: Ledger | undefined, users = 1): () => Promise<void> {
  const limited = ledger && {
    ledger,
    limits: { budget: { max: 1e9, per: "day" as const, scope: "user" as const } },
    spends: { pay: () => ({ budget: 1 }) },
  };
  const guardrails = createGuardrails({
    guardrails: [],
    effects: { pay: "irreversible" },
    ...limited,
  });
  const contract = createContract({ guardrails, logger: false });
  const tool = { name: "pay", inputSchema: { type: "object" } } as const;
  let index = 0;
  return async () => {
    index += 1;
    const user = `u-${index % users}`;
    const place = { conversationId: "thread-7", turnId: `${index}`, context: { user } };
    const call = { id: `${process.pid}-${index}`, name: "pay", arguments: {} };
    const { status } = await contract.handle(call, { tool, ...place, execute: () => "paid" });
    if (status !== "executed") throw new Error(`A payment was ${status}.`);
  };
}
