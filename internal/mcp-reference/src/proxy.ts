import { fileURLToPath } from "node:url";
import { startBackground } from "./background.ts";

const CLI = fileURLToPath(new URL("cli.ts", import.meta.resolve("@toolcontract/mcp")));

/** The proxy's command line, to be followed by its arguments. */
export const PROXY: readonly string[] = [process.execPath, CLI];

/** A server that can be reached. */
export interface Reachable {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Starts the HTTP proxy in front of a server. */
export async function startProxy(upstream: string): Promise<Reachable> {
  const command = [...PROXY, "--upstream", upstream, "--port", "0"];
  const proxy = await startBackground(command, /listening on (\S+)/);
  return { url: proxy.found, close: proxy.close };
}
