import http from "node:http";
import { isLoopback } from "./allowed-client.ts";

/**
 * The environment that names the forward proxy, if the process is to use it: Node takes `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` if
 * `NODE_USE_ENV_PROXY` says so, from 22.21 and 24.5 on.
 */
export function proxyEnvironment(): NodeJS.ProcessEnv | undefined {
  const { options } = http.globalAgent as {
    readonly options?: { readonly proxyEnv?: NodeJS.ProcessEnv };
  };
  return options?.proxyEnv;
}

/** The variable of a forward proxy that is set for this server and not used; undefined if there is none. */
export function unusedProxy(
  { protocol, hostname }: URL,
  env: NodeJS.ProcessEnv,
): string | undefined {
  if (proxyEnvironment() !== undefined || isLoopback(hostname)) return undefined;
  const name = protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  return [name, name.toLowerCase()].find((one) => (env[one] ?? "") !== "");
}
