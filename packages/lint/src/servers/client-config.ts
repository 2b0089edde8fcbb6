import { isRecord } from "@toolcontract/explain/adapter";
import { createScanner } from "jsonc-parser";
import type { JsonObject } from "../shared/index.ts";

/** A server in the configuration of an MCP client. */
export interface ConfiguredServer {
  readonly name: string;
  readonly command?: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers: Readonly<Record<string, string>>;
}

type VariableValues = Readonly<Record<string, string | undefined>>;

/** Reads the servers that a client such as Claude, Cursor or VS Code starts; undefined if the file is something else. */
export function configuredServers(
  document: unknown,
  variables: VariableValues,
): readonly ConfiguredServer[] | undefined {
  if (!isRecord(document)) return undefined;
  const { mcpServers, servers, mcp } = document;
  const inner = isRecord(mcp) ? (mcp["servers"] ?? mcp["mcpServers"]) : undefined;
  const found = [mcpServers, servers, inner].find(isServers);
  if (!found) return undefined;
  return Object.entries(found).flatMap(([name, server]) =>
    isServer(server) && server["disabled"] !== true
      ? [configuredServer(name, server, variables)]
      : [],
  );
}

function isServers(value: unknown): value is JsonObject {
  return isRecord(value) && Object.values(value).some(isServer);
}

function isServer(value: unknown): value is JsonObject {
  return (
    isRecord(value) && (typeof value["command"] === "string" || typeof value["url"] === "string")
  );
}

function configuredServer(
  name: string,
  server: JsonObject,
  variables: VariableValues,
): ConfiguredServer {
  const expand = (text: string): string =>
    text.replaceAll(/\$\{(?:env:)?(\w+)\}/g, (all, variable: string) => variables[variable] ?? all);
  const text = (key: string): string | undefined => {
    const value = server[key];
    return typeof value === "string" ? expand(value) : undefined;
  };
  const texts = (value: unknown): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(isRecord(value) ? value : {}).map(([key, one]) => [key, expand(String(one))]),
    );
  const { args, env, headers } = server;
  const [command, cwd, url] = [text("command"), text("cwd"), text("url")];
  return {
    name,
    ...(command !== undefined && { command }),
    ...(cwd !== undefined && { cwd }),
    ...(url !== undefined && { url }),
    args: Array.isArray(args) ? args.map((one) => expand(String(one))) : [],
    env: texts(env),
    headers: texts(headers),
  };
}

/** Removes comments and trailing commas, which the files of editors may have. */
export function withoutComments(text: string): string {
  const scanner = createScanner(text);
  const parts: string[] = [];
  let comma: number | undefined;
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const start = scanner.getTokenOffset();
    const token = text.slice(start, start + scanner.getTokenLength());
    if (token.startsWith("/") || token.trim() === "") {
      parts.push(" ");
      continue;
    }
    if (comma !== undefined && /^[}\]]/.test(token)) parts[comma] = "";
    comma = token === "," ? parts.length : undefined;
    parts.push(token);
  }
  return parts.join("");
}
