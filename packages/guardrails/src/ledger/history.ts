import { randomUUID } from "node:crypto";
import { type Ledger, ToolContractError } from "@toolcontract/core";
import { addAmounts, chain, within } from "@toolcontract/core/adapter";
import {
  type MaybePromise,
  MissingPlaceError,
  type RanScope,
  type Spender,
  scopeOwner,
} from "../shared/index.ts";
import { accountName } from "./limits.ts";

/** Which tools have run in which scope, of those that guardrails ask about. */
export interface History {
  /** Whether calls of the tool are remembered. */
  watches(tool: string): boolean;
  /** Remembers a call that is about to run; it is remembered whatever becomes of it. Rejects if the ledger fails. */
  record(tool: string, spender: Spender): Promise<void>;
  /**
   * How many calls of a tool have begun in the scope.
   *
   * @throws ToolContractError if no guardrail watches the tool, or the scope has no value for this call.
   */
  ran(tool: string, scope: RanScope, spender: Spender): MaybePromise<number>;
}

const SCOPES: readonly RanScope[] = ["conversation", "user"];
const WHAT = "ran";

/** Remembers the calls of the watched tools in a ledger: as durably as amounts. */
export function createHistory(
  watched: ReadonlySet<string>,
  { ledger, clock, storeLimit }: HistoryServices,
): History {
  return {
    watches: (tool) => watched.has(tool),
    async record(tool, spender) {
      const claims = SCOPES.flatMap((scope) => {
        const account = accountOf(tool, scope, spender);
        return account === undefined ? [] : [{ limit: scope, account, amount: 1, max: MOST }];
      });
      if (claims.length === 0) return;
      const at = clock();
      // It names no tool, so nobody is asked whether it happened.
      const entry = { id: `${WHAT} ${randomUUID()}`, claims, facts: {} } as const;
      const write = async (): Promise<void> => {
        await ledger.reserve({ ...entry, state: "reserved", reservedAt: at });
        await ledger.end(entry, { state: "spent", at });
      };
      await within(write(), storeLimit);
    },
    ran(tool, scope, spender) {
      if (!watched.has(tool)) {
        throw new ToolContractError(
          `ran: no guardrail watches '${tool.slice(0, 64)}'. Add it to the \`watches\` of the guardrail that asks.`,
        );
      }
      const account = accountOf(tool, scope, spender);
      if (account === undefined) {
        throw new MissingPlaceError(
          `ran: the scope "${scope}" has no value for this call. Pass what names it, such as a conversationId or context: { user }.`,
        );
      }
      return chain(ledger.totals({ account }), ({ spent, reserved, inDoubt }) =>
        addAmounts(spent, reserved, inDoubt),
      );
    },
  };
}

const MOST = Number.MAX_SAFE_INTEGER;

interface HistoryServices {
  readonly ledger: Ledger;
  readonly clock: () => number;
  /** Milliseconds that the ledger may take. */
  readonly storeLimit: number;
}

function accountOf(tool: string, scope: RanScope, spender: Spender): string | undefined {
  const owner = scopeOwner(scope, spender);
  return owner && accountName([WHAT, tool, ...owner]);
}
