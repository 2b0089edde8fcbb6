import assert from "node:assert/strict";
import { join } from "node:path";
import type { Place } from "../place.ts";
import type { Form } from "../program.ts";
import { changedProgram, writeProgram } from "../program.ts";
import type { Cell } from "../project.ts";
import { readmeOf } from "../readme.ts";
import { runProcess } from "../run-process.ts";
import { callTools } from "./call-tools.ts";
import { BOOK, BOOKED_ONCE, OPTIONS, writeStaged } from "./stage.ts";

const bin = (name: string, { folder }: Place): string => join(folder, "node_modules/.bin", name);

const FILESYSTEM_REFUSAL = `Validation failed for tool 'read_text_file' (attempt 1/3):

Errors:
• /path (VAL-001): Required field 'path' is missing
  Expected: string
  Hint: rename "pth" to "path"

Correct these and call 'read_text_file' again with all arguments.`;

async function relayFilesystem(place: Place): Promise<void> {
  const path = join(place.folder, "files/a.txt");
  const server = [bin("mcp-server-filesystem", place), join(place.folder, "files")];
  const answers = await callTools(
    place,
    [bin("toolcontract-mcp", place), "--", ...server],
    [
      ["read_text_file", { path }],
      ["read_text_file", { pth: path }],
      ["read_text_file", { path }],
    ],
  );
  const good = { isError: false, text: "the content of a" };
  assert.deepEqual(answers, [good, { isError: true, text: FILESYSTEM_REFUSAL }, good]);
}

/** The command of the README, with the packages that `npx -y` would fetch taken from the project. */
async function relayReadme(place: Place): Promise<void> {
  const readme = readmeOf("mcp", place);
  const { mcpServers } = JSON.parse(readme.fence("json")) as {
    mcpServers: { memory: { command: string; args: string[] } };
  };
  const { command, args } = mcpServers.memory;
  assert.deepEqual(
    [command, ...args].join(" "),
    "npx -y @toolcontract/mcp -- npx -y @modelcontextprotocol/server-memory",
  );
  const started = [bin("toolcontract-mcp", place), "--", bin("mcp-server-memory", place)];
  const name = readme.match(/^For `(\w+)` with `\{.*?\}`/m);
  const input = JSON.parse(readme.match(/^For `\w+` with `(\{.*?\})`/m)) as object;
  const answers = await callTools(place, started, [[name, input]]);
  assert.deepEqual(answers, [{ isError: true, text: readme.fence("txt") }]);
}

/** A client that closes its input: its requests are answered, then proxy and server exit. */
async function endOfInput(place: Place): Promise<void> {
  const hello = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "matrix", version: "1.0.0" },
    },
  };
  const printed = await runProcess({
    command: bin("toolcontract-mcp", place),
    args: ["--", bin("mcp-server-filesystem", place), join(place.folder, "files")],
    cwd: place.folder,
    node: place.node,
    input: `${JSON.stringify(hello)}\n`,
    seconds: 20,
  });
  assert.match(printed, /"serverInfo"/);
}

const SERVER = 'const server = new McpServer({ name: "orders", version: "1.0.0" });';
const TOOL = `
server.registerTool("book", {
  inputSchema: { from: z.string().length(3), seats: z.number().int() },
}, ({ from, seats }) => ({ content: [{ type: "text", text: seats + " seats from " + from }] }));`;

const IN_PROCESS_REFUSAL = `Validation failed for tool 'book' (attempt 1/3):

Errors:
• /from (VAL-009): String length 6 exceeds maximum 3
  Expected: string, 3 characters
  Actual: "Lisbon"

Correct these and call 'book' again with all arguments.`;

async function serve(form: Form, place: Place): Promise<void> {
  const source = readmeOf("mcp", place).fence("ts");
  const before = 'import { z } from "zod";';
  const program = changedProgram({ source, replaced: { [SERVER]: SERVER + TOOL }, before });
  const started = [place.node, writeProgram(program, form, "server", place)];
  const answers = await callTools(place, started, [
    ["book", { from: "Lisbon", seats: 2 }],
    ["book", { from: "LIS", seats: 2 }],
  ]);
  assert.deepEqual(answers, [
    { isError: true, text: IN_PROCESS_REFUSAL },
    { isError: false, text: "2 seats from LIS" },
  ]);
}

const STAGED = `
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { withContract } from "@toolcontract/mcp";
import { z } from "zod";
${SERVER}${TOOL}
await withContract(server, ${OPTIONS}).connect(new StdioServerTransport());`;

async function serveStaged(place: Place): Promise<void> {
  const started = [place.node, writeStaged(STAGED, place)];
  const answers = await callTools(place, started, [
    ["book", BOOK],
    ["book", BOOK],
  ]);
  const [ran, refused] = BOOKED_ONCE;
  assert.deepEqual(answers, [
    { isError: false, text: ran },
    { isError: true, text: refused },
  ]);
}

/** The proxy in front of real servers, and the server of the README, with the SDK's client. */
export function mcpCells(): readonly Cell[] {
  return [
    { name: "README's command before server-memory", run: relayReadme },
    { name: "bin in front of server-filesystem, valid and invalid calls", run: relayFilesystem },
    { name: "bin before server-filesystem, end of input", run: endOfInput },
    { name: "README's server, esm", run: (place) => serve("esm", place) },
    { name: "README's server, cjs", run: (place) => serve("cjs", place) },
    { name: "a stage", run: serveStaged },
  ];
}
