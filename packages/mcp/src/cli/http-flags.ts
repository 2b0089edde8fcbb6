import { type Flag, PORT } from "./flag.ts";

/** The flags of a proxy in front of a server on Streamable HTTP, in the order of the help. */
export const HTTP_FLAGS: Readonly<Record<HttpFlagName, Flag>> = {
  upstream: {
    section: "HTTP",
    kind: {
      type: "string",
      pattern: /^https?:\/\/[^/]/,
      expected: "a URL such as https://example.com/mcp",
    },
    value: "<url>",
    help: "the server's URL; starts an HTTP proxy",
  },
  port: {
    section: "HTTP",
    kind: PORT,
    value: "<port>",
    fallback: "8787",
    help: "port to listen on; 0 picks a free one",
  },
  host: {
    section: "HTTP",
    kind: { type: "string", expected: "an address such as 127.0.0.1" },
    value: "<address>",
    fallback: "127.0.0.1",
    help: "address to listen on",
  },
  endpoint: {
    section: "HTTP",
    kind: { type: "string", pattern: /^\/[^?#]*$/, expected: "a path such as /mcp" },
    value: "<path>",
    fallback: "/mcp",
    help: "path of the MCP endpoint for clients; letter case, escapes and a slash at the end make no difference",
  },
  header: {
    section: "HTTP",
    kind: { type: "string", pattern: /^[!#$%&'*+.^_`|~A-Za-z0-9-]+:.*$/ },
    value: '"<name>: <value>"',
    isList: true,
    help: "header to send to the server, in place of the client's; ${NAME} is the variable of that name",
  },
  "allow-host": {
    section: "HTTP",
    kind: { type: "string" },
    value: "<host>",
    isList: true,
    help: "another Host name that clients may use",
  },
  "allow-origin": {
    section: "HTTP",
    kind: { type: "string" },
    value: "<origin>",
    isList: true,
    help: "another origin whose web pages may connect",
  },
  vary: {
    section: "HTTP",
    kind: {
      type: "string",
      pattern: /^[!#$%&'*+.^_`|~A-Za-z0-9-]+$/,
      expected: "the name of a header, such as X-User-Id",
    },
    value: "<header>",
    isList: true,
    help: "only this header tells users apart, for attempts and tool lists, beside session and credentials; by default all do but those of edges and tracers",
  },
};

type HttpFlagName =
  | "upstream"
  | "port"
  | "host"
  | "endpoint"
  | "header"
  | "allow-host"
  | "allow-origin"
  | "vary";
