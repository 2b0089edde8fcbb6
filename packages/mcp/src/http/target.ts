/** Where a request is forwarded to. */
export interface RequestTarget {
  /** Path and query on the server. */
  readonly path: string;
  /** The client's own query. */
  readonly query: string;
  /** Whether it is the MCP endpoint. */
  readonly isEndpoint: boolean;
}

/** Resolves a request's `url`; undefined if it is not a path. */
export type TargetOf = (url: string) => RequestTarget | undefined;

/** Creates the resolver: clients may use the endpoint's path or the server's own. */
export function createTargets(upstream: URL, endpoint: string): TargetOf {
  const { pathname, search } = upstream;
  const [own, theirs] = [routeOf(endpoint), routeOf(pathname)];

  function targetOf(url: string): RequestTarget | undefined {
    if (!url.startsWith("/")) return undefined;
    const [path = "", query = ""] = split(url);
    const route = path === endpoint ? own : routeOf(path);
    if (route !== own && route !== theirs) return { path: url, query, isEndpoint: false };
    // The server may know another spelling of its path, to which it may have redirected the client.
    const sent = path !== endpoint && route === theirs ? path : pathname;
    const queries = [search.slice(1), query].filter((part) => part !== "");
    const joined = queries.length === 0 ? "" : `?${queries.join("&")}`;
    return { path: sent + joined, query, isEndpoint: true };
  }

  // Almost all requests are for one URL.
  let latest: { readonly url: string; readonly target: RequestTarget | undefined } | undefined;
  return (url) => {
    if (latest?.url !== url) latest = { url, target: targetOf(url) };
    return latest.target;
  };
}

/** Splits off the query; servers ignore a fragment. */
function split(url: string): readonly string[] {
  const [whole = ""] = url.split("#", 1);
  const at = whole.indexOf("?");
  return at === -1 ? [whole] : [whole.slice(0, at), whole.slice(at + 1)];
}

/**
 * The path as the most generous server matches it: letter case, escapes, slashes, dots and path parameters make no
 * difference. A request that one server routes to its endpoint must not pass unread because another would not.
 */
function routeOf(path: string): string {
  const names: string[] = [];
  for (const segment of unescaped(path).split(/[/\\]/)) {
    const [name = ""] = segment.split(";", 1);
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name.toLowerCase());
  }
  return names.join("/");
}

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
