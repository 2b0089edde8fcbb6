import type { WireReply, WireRequest } from "@toolcontract/wire";
import { calls, report } from "../testing/turns.ts";

/** A provider on a hard day: one model never answers, one is limited for an hour, and one is cut and breaks off. */
export function hardDay(): (request: WireRequest) => WireReply {
  const small: readonly WireReply[] = [
    {
      ...calls(["read_notes", { week: 48 }]),
      text: "I read the notes of the week. ",
      usage: { input: 318, output: 27 },
    },
    { ...calls(["read_notes", { week: 48 }]), usage: { input: 402, output: 19 } },
    { text: "The week went well, and the rel", finishReason: "length" },
    { text: "The week went well, and the release is out.", cutAfter: 3 },
    {
      ...report(
        "# The week\n\nThe release is out; the importer is fixed. The price page is still open.",
      ),
      usage: { input: 463, output: 41 },
    },
  ];
  let given = 0;
  return ({ body }) => {
    switch (body["model"]) {
      case "large":
        return "never";
      case "medium":
        return { status: 429, message: "too many requests", headers: { "retry-after": "3600" } };
      default:
        return small[(given += 1) - 1] ?? report("Done");
    }
  };
}

/** The source of an MCP server that dies in its first call; started once more, it works. */
export const DYING_SERVER: string = `
const { existsSync, writeFileSync } = require("node:fs");
const inputSchema = { type: "object", properties: { week: { type: "integer" } }, required: ["week"] };
const reply = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") reply(id, { protocolVersion: params.protocolVersion,
    capabilities: { tools: {} }, serverInfo: { name: "notes", version: "1" } });
  else if (method === "tools/list") reply(id, { tools: [{ name: "read_notes", inputSchema }] });
  else if (method === "tools/call") {
    if (!existsSync("died")) { writeFileSync("died", ""); process.exit(1); }
    reply(id, { content: [{ type: "text", text: "The release is out. The importer is fixed. The price page is open." }] });
  } else if (id !== undefined) reply(id, {});
});
`;

/** The configuration of the run. */
export function configurationOf(baseUrl: string, server: string): object {
  return {
    providers: { acme: { type: "openai-compatible", base_url: baseUrl } },
    targets: ["large", "medium", "small"].map((model) => ({ provider: "acme", model })),
    session: { max_retries: 6, request_timeout: { first_token: 1_500 } },
    mcp_servers: { notes: { command: process.execPath, args: [server] } },
  };
}
