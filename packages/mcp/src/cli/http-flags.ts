import { type Flag, PORT } from "./flag.ts";
import type { FlagName } from "./settings.ts";

type HttpFlag =
  | "upstream"
  | "port"
  | "host"
  | "endpoint"
  | "header"
  | "allow-host"
  | "allow-origin";

/** The flags that only an HTTP proxy has. */
export const HTTP_FLAGS: Readonly<Record<HttpFlag & FlagName, Flag>> = {
  upstream: {
    section: "HTTP",
    kind: {
      type: "text",
      pattern: /^https?:\/\/[^/]/,
      wants: "a URL such as https://example.com/mcp",
    },
    value: "<url>",
    help: "the server's URL; makes this an HTTP proxy",
  },
  port: {
    section: "HTTP",
    kind: PORT,
    value: "<port>",
    fallback: "8787",
    help: "port to listen on; 0 takes a free one",
  },
  host: {
    section: "HTTP",
    kind: { type: "text", wants: "an address such as 127.0.0.1" },
    value: "<address>",
    fallback: "127.0.0.1",
    help: "address to listen on",
  },
  endpoint: {
    section: "HTTP",
    kind: { type: "text", pattern: /^\/[^?#]*$/, wants: "a path such as /mcp" },
    value: "<path>",
    fallback: "/mcp",
    help: "path of the MCP endpoint for clients",
  },
  header: {
    section: "HTTP",
    kind: { type: "text", pattern: /^[!#$%&'*+.^_`|~A-Za-z0-9-]+:.*$/ },
    value: '"<name>: <value>"',
    isList: true,
    help: "header for the server, in place of the client's",
  },
  "allow-host": {
    section: "HTTP",
    kind: { type: "text" },
    value: "<host>",
    isList: true,
    help: "further Host names that clients may use",
  },
  "allow-origin": {
    section: "HTTP",
    kind: { type: "text" },
    value: "<origin>",
    isList: true,
    help: "further origins of web pages that may connect",
  },
};
