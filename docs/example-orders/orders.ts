// Orders that a model places: an order and its payment from a budget are there together, or not at all.
import { AsyncLocalStorage } from "node:async_hooks";
import { createContract, type Handled, type ToolCall } from "@toolcontract/core";
import { createGuardrails } from "@toolcontract/guardrails";
import { postgresLedger } from "@toolcontract/stores/postgres";
import type { Pool, PoolClient } from "pg";

const TOOL = {
  name: "order",
  inputSchema: {
    type: "object",
    properties: { item: { type: "string" }, price: { type: "number", minimum: 0 } },
    required: ["item", "price"],
  },
} as const;

const transaction = new AsyncLocalStorage<PoolClient>();

/** A ledger whose steps are part of the transaction of their call. */
function ledgerOn(pool: Pool, prefix: string) {
  const query = async (sql: string, values: unknown[]) =>
    (transaction.getStore() ?? pool).query(sql, values);
  return postgresLedger({ query }, { prefix });
}

/** Makes a call in a transaction, and keeps what was written if its tool has succeeded. */
async function inTransaction(
  pool: Pool,
  call: (client: PoolClient) => Promise<Handled>,
): Promise<Handled> {
  const client = await pool.connect();
  let isKept = false;
  try {
    await client.query("BEGIN");
    const handled = await transaction.run(client, async () => call(client));
    if (handled.status !== "executed") return handled;
    // Postgres answers ROLLBACK if a statement has failed before.
    const { command } = await client.query("COMMIT");
    if (command !== "COMMIT") throw new Error("The order was not kept");
    isKept = true;
    return handled;
  } finally {
    // What was not committed is rolled back with its connection, also a statement that is on its way.
    client.release(!isKept);
  }
}

/** Returns what makes the calls of users; `prefix` is that of all tables. */
export function createOrders(pool: Pool, prefix = "shop_") {
  const guardrails = createGuardrails({
    guardrails: [],
    effects: { order: "irreversible" },
    limits: { budget: { max: 100, scope: "user" } },
    spends: { order: ({ args }) => ({ budget: args.price }) },
    ledger: ledgerOn(pool, prefix),
  });
  const contract = createContract({ guardrails, logger: false });
  const insert = `INSERT INTO ${prefix}orders (buyer, item, price) VALUES ($1, $2, $3)`;

  return async (call: ToolCall, user: string): Promise<Handled> =>
    inTransaction(pool, async (client) =>
      contract.handle(call, {
        tool: TOOL,
        conversationId: user,
        turnId: call.id,
        context: { user },
        async execute(args) {
          const { item, price } = args as { readonly item: string; readonly price: number };
          await client.query(insert, [user, item, price]);
          return "ordered";
        },
      }),
    );
}
