// A relay on the transports of the official SDK: passes on messages unchanged.
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const [command = "", ...args] = process.argv.slice(2);
const toServer = new StdioClientTransport({ command, args });
const toClient = new StdioServerTransport();
Object.assign(toServer, { onmessage: async (one: JSONRPCMessage) => toClient.send(one) });
Object.assign(toClient, { onmessage: async (one: JSONRPCMessage) => toServer.send(one) });
await toServer.start();
await toClient.start();
