import type { IncomingHttpHeaders } from "node:http";
import { isIP, isIPv6 } from "node:net";

/** Who may use the proxy. */
export interface AllowedClients {
  /** The address that the proxy listens on. */
  readonly host: string;
  /** More names under which it may be addressed. */
  readonly hosts: readonly string[];
  /** More origins of web pages. */
  readonly origins: readonly string[];
}

/** Why a request is refused; undefined if it is allowed. */
export type RefusalOf = (headers: IncomingHttpHeaders) => string | undefined;

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Whether an address can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.includes(bracketed(host.toLowerCase())) || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/**
 * Creates the check of `Host` and `Origin`.
 *
 * A web page can make a browser send requests to any address, and can point its own domain at this one (DNS rebinding).
 * These two headers give it away: no such page can have an address as its own name, so an address is always allowed where
 * other machines may connect.
 */
export function refusalBy(allowed: AllowedClients): RefusalOf {
  const isLocal = isLoopback(allowed.host);
  const named = [allowed.host, ...allowed.hosts].map((host) =>
    hostName(`http://${bracketed(host)}`),
  );
  const names = new Set(isLocal ? [...LOOPBACK, ...named] : named);
  const origins = new Set(allowed.origins.flatMap((origin) => [origin, originOf(origin)]));
  let latest: string | undefined;
  // Most clients use the literal name, which saves parsing a URL, and all of them the same one.
  const isKnown = (host: string): boolean => {
    if (host === latest) return true;
    const isNamed =
      names.has(host.replace(/:\d+$/, "")) ||
      (!isLocal && isAddress(host)) ||
      (!/[@/\\?#]/.test(host) && names.has(hostName(`http://${host}`) ?? ""));
    if (isNamed) latest = host;
    return isNamed;
  };

  return ({ host = "", origin }) => {
    if (!isKnown(host)) {
      return "the Host header names another host; --allow-host <host> allows it";
    }
    if (origin === undefined || origins.has(origin)) return undefined;
    const page = hostName(origin);
    const isOwn = isLocal ? page !== undefined && isLoopback(page) : origin.endsWith(`://${host}`);
    return isOwn ? undefined : "web pages of that origin may not connect; --allow-origin allows it";
  };
}

/** Whether a `Host` header holds an address, with or without a port. */
function isAddress(host: string): boolean {
  return isIP(host.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1")) !== 0;
}

function hostName(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** Normalizes an origin to the form that browsers send. */
function originOf(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : "null";
  return origin === "null" ? text : origin;
}

function bracketed(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}
