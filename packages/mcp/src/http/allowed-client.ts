import type { IncomingHttpHeaders } from "node:http";

/** Who may speak to the proxy. */
export interface AllowedClients {
  /** The address that the proxy listens on. */
  readonly host: string;
  /** Further names under which it may be addressed. */
  readonly hosts: readonly string[];
  /** Further origins of web pages. */
  readonly origins: readonly string[];
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Tells whether an address can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.has(bracketed(host.toLowerCase())) || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/**
 * Why a request is refused, or undefined where it may pass.
 *
 * A web page can make a browser send requests to any address, and can make its own name point here; the `Host` and
 * `Origin` of such requests tell.
 */
export function refusalOf(
  { host = "", origin }: IncomingHttpHeaders,
  allowed: AllowedClients,
): string | undefined {
  const isLocal = isLoopback(allowed.host);
  const name = hostName(`http://${host}`);
  if (isLocal || allowed.hosts.length > 0) {
    const names = [allowed.host, ...allowed.hosts].map((one) => bracketed(one.toLowerCase()));
    const isKnown = name !== undefined && (names.includes(name) || (isLocal && LOOPBACK.has(name)));
    if (!isKnown) return "the Host header names another host; --allow-host <host> allows it";
  }
  if (origin === undefined || allowed.origins.includes(origin)) return undefined;
  const page = hostName(origin);
  const isOwn = isLocal ? page !== undefined && isLoopback(page) : origin.endsWith(`://${host}`);
  return isOwn ? undefined : "web pages of that origin may not connect; --allow-origin allows it";
}

function hostName(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

function bracketed(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}
