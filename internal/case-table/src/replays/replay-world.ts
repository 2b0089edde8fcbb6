import { expect } from "vitest";
import {
  LARGE,
  type Pay,
  type Payment,
  type PaymentMessage,
  type ReplayKit,
  type ReplayPolicies,
} from "./replays-kit.ts";

const SECRET = "a secret of 32 bytes, or more....";

/** What a process differs in from those of most cases. */
interface ProcessOptions {
  readonly policies?: Partial<ReplayPolicies>;
  readonly repeatedCalls?: "run" | "once";
  /** What the person answers with, instead of the grant of what was asked. */
  readonly answer?: (grant: string) => string | undefined;
}

/** A process of the host. */
interface ReplayProcess {
  readonly send: (message: PaymentMessage) => Promise<readonly string[]>;
  /** What counts of the limit, and what is in doubt of it. */
  readonly counted: () => Promise<{ readonly spent: number; readonly inDoubt: number }>;
  /** Says that the payments in doubt were made; returns how many those were. */
  readonly reconcile: () => Promise<number>;
}

/** Where the processes of a case pay. */
export interface ReplayWorld {
  /** The payments that were made, such as `Kim 20`, in any order. */
  readonly paid: () => readonly string[];
  /** The idempotency key of each. */
  readonly keys: readonly (string | undefined)[];
  /** What all processes logged. */
  readonly lines: readonly string[];
  /** What the tool does after a payment was made. */
  readonly payBy: (pay: Pay) => void;
  /** Opens a process; those of a case share a ledger and records. */
  readonly open: (options?: ProcessOptions) => ReplayProcess;
}

/** Limits that everybody shares, so that what counts can be asked without a place. */
export const MONEY: Partial<ReplayPolicies> = {
  limits: { money: { max: 9_000, scope: "global" } },
  spends: { pay: ({ args }) => ({ money: args.amount }) },
};

/** Opens a world for one case. */
export function openWorld<Contract, Request>(kit: ReplayKit<Contract, Request>): ReplayWorld {
  const paid: string[] = [];
  const keys: (string | undefined)[] = [];
  const lines: string[] = [];
  const [ledger, records] = [kit.createLedger(), kit.createRecords()];
  let payBy: Pay = ({ to }) => `sent to ${to}`;
  const pay: Pay = (payment, call) => {
    keys.push(call.key);
    paid.push(nameOf(payment));
    return payBy(payment, call);
  };
  const host = kit.createHost(pay);
  const large = {
    name: "large",
    tools: ["pay"],
    check: ({ args }: { readonly args: Payment }) =>
      args.amount > LARGE && { ask: `more than ${LARGE}` },
  };
  return {
    keys,
    lines,
    paid: () => paid.toSorted(),
    payBy: (next) => void (payBy = next),
    open({ policies = MONEY, repeatedCalls, answer = (grant: string) => grant } = {}) {
      const guardrails = kit.createGuardrails({
        effects: { pay: "irreversible" },
        ledger: ledger as never,
        records: records as never,
        grants: { secret: SECRET, store: ledger as never },
        ...policies,
        guardrails: [...(kit.asks === "guardrail" ? [large] : []), ...(policies.guardrails ?? [])],
      });
      const contract = kit.createContract({
        guardrails: guardrails as never,
        logger: (_, line) => void lines.push(line),
        ...(repeatedCalls && { repeatedCalls }),
      });
      const process = {
        contract,
        answer: async (request: Request) =>
          answer(await guardrails.grant(request, { by: "operator-3", expiresIn: 60_000 })),
      };
      return {
        send: async (message) => {
          const texts = await host.send(message, process);
          expect(texts).toHaveLength(message.payments.length);
          return texts;
        },
        counted: async () => guardrails.usage("money"),
        reconcile: async () => (await guardrails.reconcile(() => "done")).done,
      };
    },
  };
}

/** A payment as it is noted. */
export function nameOf({ to, amount }: Payment): string {
  return `${to} ${amount}`;
}
