// mcp-proxy between a client and a server on HTTP, set up as in its README.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Server } from "@modelcontextprotocol/server";
import { proxyServer, startHTTPServer } from "mcp-proxy";

const [from, to] = process.argv.slice(2);
const client = new Client({ name: "mcp-proxy", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${to}/mcp`)));
const capabilities = client.getServerCapabilities() ?? {};

await startHTTPServer({
  port: Number(from),
  host: "127.0.0.1",
  createServer: async () => {
    const version = client.getServerVersion() ?? { name: "unknown", version: "0" };
    const server = new Server(version, { capabilities });
    await proxyServer({ client, server, serverCapabilities: capabilities });
    return server;
  },
});
