import { existsSync } from "node:fs";
import { SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
import { readMember } from "@toolcontract/core/adapter";
import { failureReason } from "@toolcontract/session";
import { messageOf } from "@toolcontract/session/adapter";
import type { Server } from "./open-server.ts";

const MAX_CAUSES = 5;
/** Codes of connections that failed, in a few words. */
const CONNECTION: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "it closed the connection",
  UND_ERR_SOCKET: "it closed the connection",
  ENOTFOUND: "its host was not found",
  EAI_AGAIN: "its host was not found",
  ETIMEDOUT: "the connection timed out",
  UND_ERR_CONNECT_TIMEOUT: "the connection timed out",
};

/** Why a server did not start: a short sentence, and the last lines that it wrote to its standard error. */
export function whyNotStarted(server: Server, thrown: unknown): string {
  const lines = (server.child?.lastLines ?? []).map((line) => `\n  ${failureReason(line)}`);
  const why = `MCP server "${server.name}" did not start: ${reasonOf(server, thrown)}.`;
  return lines.length === 0 ? why : `${why} Its last lines:${lines.join("")}`;
}

/** Which tools of a server have a schema of which nothing can be used. */
export function unusableSchemas({ name }: Server, tools: readonly string[]): string {
  const named = tools.map((tool) => `"${failureReason(tool)}"`).join(", ");
  const which = `tool${tools.length === 1 ? "" : "s"} ${named}`;
  return `MCP server "${name}": nothing of the schema of ${which} can be used.`;
}

function reasonOf({ config, child }: Server, thrown: unknown): string {
  const code = codeOf(thrown);
  if (child && "command" in config) {
    if (child.end !== undefined) return `it ${child.end}`;
    if (code === "ENOENT" && !existsSync(child.cwd)) return `its cwd ${child.cwd} does not exist`;
    if (code === "ENOENT") return `command "${config.command}" was not found`;
    if (code === "EACCES") return `command "${config.command}" may not be executed`;
  }
  if (thrown instanceof SdkHttpError)
    return `HTTP ${thrown.status} ${thrown.statusText ?? ""}`.trim();
  if (thrown instanceof SdkError && thrown.code === SdkErrorCode.RequestTimeout) {
    return "it did not answer in time";
  }
  return connectionFault(thrown) ?? messageOf(thrown).replace(/\.$/u, "");
}

/** What is wrong with a connection, in a few words; undefined for every other error. */
export function connectionFault(thrown: unknown): string | undefined {
  return CONNECTION[codeOf(thrown) ?? ""];
}

/** The code of an error or of its causes. */
function codeOf(thrown: unknown): string | undefined {
  let error = thrown;
  for (let depth = 0; error !== undefined && depth < MAX_CAUSES; depth += 1) {
    const code = readMember(error, "code");
    if (typeof code === "string") return code;
    error = readMember(error, "cause");
  }
  return undefined;
}
