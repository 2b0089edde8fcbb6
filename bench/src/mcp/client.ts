/** A connection to an MCP server: as little client as there can be, so that what is measured is not the client. */
export interface McpClient {
  /** Sends a request and gives the text of its answer. */
  request(method: string, params: object): Promise<string>;
  notify(method: string): Promise<void>;
}

/** Says hello as every client does, and asks for the tools. */
export async function begin(client: McpClient): Promise<void> {
  await client.request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1.0.0" },
  });
  await client.notify("notifications/initialized");
  await client.request("tools/list", {});
}

/** A call of the server's tool, valid or not. */
export async function callSum(client: McpClient, kind: CallKind): Promise<void> {
  const answer = await client.request("tools/call", { name: "sum", arguments: ARGUMENTS[kind] });
  if (answer.includes('"isError":true') !== (kind === "bad")) {
    throw new Error(`A ${kind} call was answered with ${answer.slice(0, 200)}`);
  }
}

/** A call that the schema allows, and one that it does not. */
export type CallKind = "good" | "bad";

const ARGUMENTS: Readonly<Record<CallKind, object>> = {
  good: { a: 1, b: 2 },
  bad: { a: "one" },
};
