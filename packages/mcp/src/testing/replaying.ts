import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { CallToolRequestSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Payment, ReplayKit } from "@toolcontract/case-table/replays";
import {
  type AskRequest,
  type Contract,
  createContract,
  createMemoryStore,
} from "@toolcontract/core";
import { createGuardrails, memoryLedger } from "@toolcontract/guardrails";
import { z } from "zod";
import type { GateOptions } from "../gate/index.ts";
import type { Between, Paying } from "./paying.ts";
import { INFO } from "./test-servers.ts";

const KEY = "dev.toolcontract/idempotencyKey";

/** The kit of the table of calls that come again: over MCP, a call that is sent again has the key of the first. */
export function replayingKit(between: Between): ReplayKit<Contract, AskRequest> {
  return {
    createContract,
    createGuardrails: createGuardrails as never,
    createLedger: memoryLedger,
    createRecords: createMemoryStore,
    asks: "guardrail",
    cannot: {
      messages: "a request over MCP does not say of which message it is",
      pauses: "a tool of a server cannot interrupt its run and go on in another request",
      keys: "a client gives each request a key of its own, and only the same key is the same payment",
    },
    createHost: (pay) => ({
      async send({ name, conversation, user, payments }, { contract, answer }) {
        const parts = partsOf(async (payment, key) => pay(payment, { key }));
        const grant: GateOptions["grant"] = async (request) => answer(request);
        const context = user === undefined ? {} : { user };
        const client = conversation ?? globalThis.crypto.randomUUID();
        await between(parts, { contract, context, grant }, client);
        const texts = await Promise.all(
          payments.map(async (payment, index) =>
            textOf(parts.client, payment, `${client} ${name} ${index}`),
          ),
        );
        await parts.client.close();
        return texts;
      },
    }),
  };
}

/** A server that pays, and a client whose person agrees to everything. */
function partsOf(pay: (payment: Payment, key: string | undefined) => Promise<unknown>): Paying {
  const server = new McpServer(INFO);
  server.registerTool("pay", { inputSchema: z.looseObject({}) }, () => ({ content: [] }));
  // What it throws is an error of the request, and not a result.
  server.server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const key = params._meta?.[KEY];
    const text = await pay(params.arguments as never, typeof key === "string" ? key : undefined);
    return { content: [{ type: "text" as const, text: String(text) }] };
  });
  const client = new Client(INFO, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({
    action: "accept" as const,
    content: { agree: true },
  }));
  return { server, client };
}

/** What the client reads of a call. */
async function textOf(client: Client, payment: Payment, key: string): Promise<string> {
  const call = { name: "pay", arguments: { ...payment }, _meta: { [KEY]: key } };
  const { content } = await client.callTool(call);
  return (content as readonly { readonly text: string }[])[0]?.text ?? "";
}
