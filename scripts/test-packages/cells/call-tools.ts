import type { Place } from "../place.ts";
import { writeProgram } from "../program.ts";
import { runProcess } from "../run-process.ts";

/** The result of a call, as a client reads it. */
export interface Answer {
  readonly isError: boolean;
  readonly text: string;
}

const CLIENT = `
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [calls = "", command = "", ...args] = process.argv.slice(2);
const client = new Client({ name: "matrix", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command, args, env: process.env }));
const answers = [];
for (const [name, input] of JSON.parse(calls)) {
  const { isError = false, content } = await client.callTool({ name, arguments: input });
  answers.push({ isError, text: content.map(({ text }) => text).join("") });
}
await client.close();
console.log(JSON.stringify(answers));`;

/** Starts a server with the SDK's client, calls tools one after another, and returns the results. */
export async function callTools(
  place: Place,
  server: readonly string[],
  calls: readonly (readonly [string, object])[],
): Promise<readonly Answer[]> {
  const client = writeProgram(CLIENT, "esm", "client", place);
  const args = [client, JSON.stringify(calls), ...server];
  const { node, folder } = place;
  return JSON.parse(await runProcess({ command: node, args, cwd: folder, node })) as Answer[];
}
