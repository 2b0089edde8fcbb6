import { type Flag, type FlagKind, type FlagName, PORT } from "./flag.ts";

const COUNT: FlagKind = { type: "integer", from: 1, to: 1_000_000 };

/** All flags, in the order of the help. */
export const FLAGS: Readonly<Record<FlagName, Flag>> = {
  mode: {
    section: "Validation",
    kind: { type: "choice", choices: ["enforce", "assist", "audit"] },
    fallback: "enforce",
    help: "enforce: answer invalid calls; assist: forward them and rewrite the server's rejection in the contract's words; audit: only log",
  },
  soft: {
    section: "Validation",
    kind: { type: "choice", choices: ["assist", "reject", "forward"] },
    fallback: "assist",
    help: 'calls that many servers accept against their own schema, such as "5" for 5',
  },
  "unknown-args": {
    section: "Validation",
    kind: { type: "choice", choices: ["ignore", "warn", "reject"] },
    fallback: "ignore",
    help: "fields that the schema neither declares nor forbids; warn adds a note to a successful result",
  },
  "unwrap-strings": {
    section: "Validation",
    kind: { type: "switch" },
    fallback: "off",
    help: "if the model sends an array or object as a JSON string, forward the array or object",
  },
  tool: {
    section: "Validation",
    kind: { type: "string", pattern: /^.+=(?:on|off)$/ },
    value: "<name>=off",
    isList: true,
    help: "forward the calls of a tool unchecked",
  },
  guardrails: {
    section: "Validation",
    kind: { type: "string" },
    value: "<file>",
    help: "a JavaScript module that exports `guardrails`, made by createGuardrails of @toolcontract/guardrails",
  },
  "fail-open": {
    section: "Validation",
    kind: { type: "switch" },
    fallback: "on",
    help: "forward a call that cannot be validated: without a tool list or a schema that compiles, on another path, or over HTTP too large; --no-fail-open refuses it",
  },
  "max-attempts": {
    section: "Attempts",
    kind: COUNT,
    value: "<n>",
    fallback: "3",
    help: "rejected attempts per tool, after which the model is asked to stop",
  },
  "attempt-window": {
    section: "Attempts",
    kind: { type: "duration" },
    value: "<time>",
    fallback: "10m",
    help: "attempts are forgotten after this idle time",
  },
  coalesce: {
    section: "Attempts",
    kind: { type: "duration" },
    value: "<time>",
    fallback: "100ms",
    help: "rejections within this time count as one attempt",
  },
  "attempt-key": {
    section: "Attempts",
    kind: {
      type: "string",
      pattern: /^(?:auto|header:[A-Za-z0-9-]+|meta:.+)$/,
      expected: "auto, header:<name> or meta:<key>",
    },
    value: "<key>",
    fallback: "auto",
    help: "over HTTP, what tells users apart, for attempts and tool lists: auto, header:<name> or meta:<key>",
  },
  "on-exhausted": {
    section: "Attempts",
    kind: { type: "choice", choices: ["answer", "forward"] },
    fallback: "answer",
    help: "invalid calls of a tool with no attempts left",
  },
  style: {
    section: "Message",
    kind: { type: "choice", choices: ["standard", "compact"] },
    fallback: "standard",
    help: "layout of the message for the model",
  },
  "max-chars": {
    section: "Message",
    kind: { type: "integer", from: 400, to: 1_000_000 },
    value: "<n>",
    fallback: "2000",
    help: "longest message, in characters",
  },
  "max-errors": {
    section: "Message",
    kind: COUNT,
    value: "<n>",
    fallback: "10",
    help: "most errors in a message",
  },
  "list-timeout": {
    section: "Limits",
    kind: { type: "duration" },
    value: "<time>",
    fallback: "5s",
    help: "how long a call waits for its schema",
  },
  "max-body": {
    section: "Limits",
    kind: { type: "size" },
    value: "<size>",
    fallback: "4mb",
    help: "longer messages are not validated: on stdio tool calls are refused and others relayed, over HTTP --no-fail-open refuses them",
  },
  grace: {
    section: "Limits",
    kind: { type: "duration" },
    value: "<time>",
    fallback: "10s",
    help: "how long calls in flight may take after a signal or the end of the input",
  },
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
    help: "header to send to the server, in place of the client's",
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
  "log-level": {
    section: "Logs and metrics",
    kind: { type: "choice", choices: ["info", "warn", "silent"] },
    fallback: "warn",
    help: "what is logged to standard error",
  },
  "log-file": {
    section: "Logs and metrics",
    kind: { type: "string" },
    value: "<file>",
    help: "log everything as JSON lines, never an argument value",
  },
  "metrics-file": {
    section: "Logs and metrics",
    kind: { type: "string" },
    value: "<file>",
    help: "Prometheus text, written every 10 seconds and at the end",
  },
  "metrics-port": {
    section: "Logs and metrics",
    kind: PORT,
    value: "<port>",
    help: "/metrics for Prometheus, /healthz and /readyz, on the loopback address",
  },
  config: {
    section: "Configuration",
    kind: { type: "string" },
    value: "<file>",
    mayBeOff: true,
    help: "a file that overrides .agent/config.yml of the working directory, project, home and machine; --no-config reads none",
  },
};

/** All flags, with their names. */
export const FLAG_ENTRIES: readonly (readonly [FlagName, Flag])[] = Object.entries(
  FLAGS,
) as readonly (readonly [string, Flag])[] as readonly (readonly [FlagName, Flag])[];
