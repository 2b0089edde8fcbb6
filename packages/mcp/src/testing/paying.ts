import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { GrantsKit } from "@toolcontract/case-table/grants";
import { type AskRequest, type Contract, createContract } from "@toolcontract/core";
import { createGuardrails, memoryLedger } from "@toolcontract/guardrails";
import { z } from "zod";
import type { GateOptions } from "../gate/index.ts";
import { INFO } from "./test-servers.ts";

/** How a client answers a question. */
export type Elicited = { readonly action: string; readonly content?: Record<string, boolean> };

/** What a gate is put between. */
export interface Paying {
  readonly server: McpServer;
  readonly client: Client;
}

/** Connects a client and a server with a gate between them. */
export type Between = (
  parts: Paying,
  options: GateOptions,
  conversationId: string,
) => Promise<unknown>;

/** A server with the tools `pay` and `refund`, and a client whose person answers questions; without `answer`, it cannot ask. */
export function payingParts(
  run: (tool: string, args: unknown) => string,
  answer?: (message: string) => Elicited,
): Paying {
  const server = new McpServer(INFO);
  for (const tool of ["pay", "refund"]) {
    server.registerTool(tool, { inputSchema: z.looseObject({}) }, (args: unknown) => ({
      content: [{ type: "text" as const, text: run(tool, args) }],
    }));
  }
  const client = new Client(INFO, answer ? { capabilities: { elicitation: {} } } : undefined);
  if (answer) {
    client.setRequestHandler(
      ElicitRequestSchema,
      ({ params }) => answer(params.message) as { action: "accept" },
    );
  }
  return { server, client };
}

/** Makes one call. */
export async function callOnce(
  { client }: Paying,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args });
  return (content as readonly { readonly text: string }[])[0]?.text ?? "";
}

/** The kit of the table of grants for a way to put a gate between a client and a server. */
export function payingKit(between: Between): GrantsKit<Contract, AskRequest> {
  return {
    createContract,
    createGuardrails,
    createStore: memoryLedger,
    createHost: (run) => ({
      async call({ name, arguments: args, user, conversationId }, open, answer) {
        const parts = payingParts(run, () => ({ action: "accept", content: { agree: true } }));
        const grant = answer as GateOptions["grant"] & object;
        await between(parts, { contract: open(), context: { user }, grant }, conversationId);
        const text = await callOnce(parts, name, args);
        await parts.client.close();
        return text;
      },
    }),
  };
}
