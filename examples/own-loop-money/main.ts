import { env, stdin, stdout } from "node:process";
import { createInterface } from "node:readline/promises";
import { type AskRequest, createContract, defineTool } from "@toolcontract/core";
import { openai } from "@toolcontract/core/wire";
import { createGuardrails, currentAttempt, guardrailFor, Outcome } from "@toolcontract/guardrails";
import { createTables, postgresLedger, postgresStore } from "@toolcontract/stores/postgres";
import OpenAI from "openai";
import { Pool } from "pg";
import { z } from "zod";

const pool = new Pool({ connectionString: env["DATABASE_URL"] });
pool.on("error", (error) => console.error(error.message));
await createTables(pool);

const validator = z.object({ to: z.string(), amount: z.number().positive() });
const pay = defineTool({
  name: "pay",
  validator,
  async execute({ to, amount }) {
    // Your bank goes here. With the key it pays once, however often it is asked.
    const { idempotencyKey } = currentAttempt();
    if (amount > 900) return Outcome.notDone("declined", "the bank declined");
    return `paid ${to} ${amount}, receipt ${idempotencyKey}`;
  },
});
const guardrails = createGuardrails({
  effects: { pay: "irreversible" },
  guardrails: [
    guardrailFor(pay, {
      name: "large",
      check: ({ args }) => args.amount > 100 && { ask: "more than 100 at once" },
    }),
  ],
  limits: { budget: { max: 1_000, per: "day", scope: "user" } },
  spends: { pay: ({ args }) => ({ budget: args.amount }) },
  ledger: postgresLedger(pool),
  records: postgresStore(pool),
  grants: { secret: env["GRANT_SECRET"] ?? "change me" },
});
const contract = createContract({ guardrails, store: postgresStore(pool) });

const terminal = createInterface({ input: stdin, output: stdout });
async function askPerson(request: AskRequest): Promise<string[]> {
  const yes = await terminal.question(`${JSON.stringify(request.arguments)}? [y/n] `);
  if (!yes.startsWith("y")) return [];
  return [await guardrails.grant(request, { by: "terminal", expiresIn: 600_000 })];
}

const client = new OpenAI();
async function answer(question: string, conversationId: string, user: string) {
  const runId = crypto.randomUUID();
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: question }];
  const parameters = z.toJSONSchema(validator);
  for (;;) {
    const completion = await client.chat.completions.create({
      model: "gpt-5",
      messages,
      tools: [{ type: "function", function: { name: "pay", parameters } }],
    });
    const message = completion.choices[0]?.message;
    const { calls, ...turn } = openai.read(completion);
    if (message === undefined || calls.length === 0) return message?.content;
    // The message's own id, so that what has run is not run again with a grant.
    const place = { tools: [pay], conversationId, runId, ...turn };
    let handled = await contract.handleTurn(calls, { ...place, context: { user } });
    const asks = handled.flatMap((one) => (one.status === "ask" ? [one.request] : []));
    const grants: string[] = [];
    for (const ask of asks) grants.push(...(await askPerson(ask)));
    if (grants.length > 0)
      handled = await contract.handleTurn(calls, { ...place, context: { user, grants } });
    for (const one of handled) if (one.status === "failed") console.error(one.error);
    messages.push(message, ...openai.write(handled));
    if (handled.every(({ status }) => status === "blocked")) return "I could not do this.";
  }
}

const question = await terminal.question("What shall I pay? ");
console.log(await answer(question, crypto.randomUUID(), "u-17"));
const { spent, inDoubt, left } = await guardrails.usage("budget", { context: { user: "u-17" } });
console.log(`spent ${spent}, in doubt ${inDoubt}, left ${left}`);
terminal.close();
await pool.end();
