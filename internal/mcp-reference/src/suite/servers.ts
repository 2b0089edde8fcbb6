import { fileURLToPath } from "node:url";
import { freePort } from "@toolcontract/free-port";
import { createGate, withContract } from "@toolcontract/mcp";
import { startBackground } from "../background.ts";
import { installedScript } from "../installed-script.ts";
import { PROXY, type Reachable, startProxy } from "../proxy.ts";
import { type Line, serveHttp } from "../server/serve-http.ts";
import type { Revision } from "./run.ts";

/** Starts a server for one run. */
export type Start = (revision: Revision) => Promise<Reachable>;

const STDIO = fileURLToPath(new URL("../server/stdio.ts", import.meta.url));
const EVERYTHING = installedScript(
  import.meta.resolve("@modelcontextprotocol/server-everything/package.json"),
);
const BRIDGE = installedScript(import.meta.resolve("supergateway/package.json"));

/** The command of a reference server on stdio. */
export function stdioReference(line: Line): readonly string[] {
  return [process.execPath, STDIO, line];
}

/** The command of the official example server on stdio. */
export const STDIO_EVERYTHING: readonly string[] = [process.execPath, EVERYTHING, "stdio"];

/** A reference server on HTTP. */
export function reference(line: Line): Start {
  return async () => serveHttp(line);
}

/** A reference server on HTTP with the hook in its process. */
export function hooked(line: Line): Start {
  return async () => {
    const gate = createGate({ logger: () => undefined });
    return serveHttp(line, (server) => withContract(server, { gate }));
  };
}

/** The official example server on HTTP. */
export const everything: Start = async () => {
  const port = await freePort();
  const command = [process.execPath, EVERYTHING, "streamableHttp"];
  const { close } = await startBackground(command, /listening on port/, { PORT: String(port) });
  return { url: `http://127.0.0.1:${port}/mcp`, close };
};

/** A server with the HTTP proxy in front of it. */
export function proxied(start: Start): Start {
  return async (revision) => {
    const server = await start(revision);
    const proxy = await startProxy(server.url);
    return {
      url: proxy.url,
      async close() {
        await proxy.close();
        await server.close();
      },
    };
  };
}

/** A stdio server on HTTP, through a third-party bridge. */
export function bridged(command: readonly string[]): Start {
  return async (revision) => {
    const port = await freePort();
    const stdio = command.map((word) => JSON.stringify(word)).join(" ");
    const options = ["--outputTransport", "streamableHttp", "--logLevel", "info"];
    // Without it, the bridge starts a process per request, as the newer revision needs.
    if (revision === "2025-11-25") options.push("--stateful");
    const where = ["--stdio", stdio, "--port", String(port)];
    const bridge = [process.execPath, BRIDGE, ...where, ...options];
    const { close } = await startBackground(bridge, /istening on/);
    return { url: `http://127.0.0.1:${port}/mcp`, close };
  };
}

/** A stdio server with the relay around it. */
export function relayed(command: readonly string[]): readonly string[] {
  return [...PROXY, "--", ...command];
}
