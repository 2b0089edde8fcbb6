// Places one order, and ends as in a power cut at a statement: node order-process.ts <url> <prefix> <user> <which> before|after.
import { type ClientBase, Pool } from "pg";
import { createOrders } from "./orders.ts";

const [url, prefix, user = "", which, when] = process.argv.slice(2);
let statements = 0;

const pool = new Pool({ connectionString: url });
pool.on("connect", (client: ClientBase) => {
  const query = client.query.bind(client) as (...of: unknown[]) => Promise<unknown>;
  Object.assign(client, {
    async query(...of: unknown[]): Promise<unknown> {
      statements += 1;
      const isLast = statements === Number(which);
      if (isLast && when === "before") process.kill(process.pid, "SIGKILL");
      const answer = await query(...of);
      if (isLast) process.kill(process.pid, "SIGKILL");
      return answer;
    },
  });
});

const order = createOrders(pool, prefix);
const call = { id: "call_1", name: "order", arguments: { item: "lamp", price: 60 } };
console.log((await order(call, user)).status, statements);
await pool.end();
