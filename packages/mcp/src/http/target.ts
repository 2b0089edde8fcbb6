/** Where a request goes. */
export interface Target {
  /** Path and query at the server. */
  readonly path: string;
  readonly query: string;
  /** Whether MCP is spoken there; everything else of the server is passed on unread. */
  readonly isEndpoint: boolean;
}

/** Finds where a request for `url` goes; undefined where it is no path of this proxy. */
export function targetOf(url: string, upstream: URL, endpoint: string): Target | undefined {
  if (!url.startsWith("/")) return undefined;
  const at = url.indexOf("?");
  const path = at === -1 ? url : url.slice(0, at);
  const query = at === -1 ? "" : url.slice(at + 1);
  if (path !== endpoint && path !== upstream.pathname) {
    return { path: url, query, isEndpoint: false };
  }
  const queries = [upstream.search.slice(1), query].filter((part) => part !== "");
  const search = queries.length === 0 ? "" : `?${queries.join("&")}`;
  return { path: `${upstream.pathname}${search}`, query, isEndpoint: true };
}
