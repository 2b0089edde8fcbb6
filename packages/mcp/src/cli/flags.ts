import { type Flag, type FlagKind, type FlagName, PORT } from "./flag.ts";

const COUNT: FlagKind = { type: "integer", from: 1, to: 1_000_000 };

/** All flags, in the order of the help. */
export const FLAGS: Readonly<Record<FlagName, Flag>> = {
  mode: {
    section: "Verdicts",
    kind: { type: "choice", choices: ["enforce", "assist", "audit"] },
    fallback: "enforce",
    help: "enforce: answer invalid calls; assist: forward them and put the server's refusal in the contract's words; audit: only log",
  },
  soft: {
    section: "Verdicts",
    kind: { type: "choice", choices: ["assist", "reject", "forward"] },
    fallback: "assist",
    help: 'calls that many servers take although their schema does not, such as "5" for 5',
  },
  "unknown-args": {
    section: "Verdicts",
    kind: { type: "choice", choices: ["ignore", "warn", "reject"] },
    fallback: "ignore",
    help: "arguments that the schema neither declares nor forbids; warn adds a note to a successful result",
  },
  "unwrap-strings": {
    section: "Verdicts",
    kind: { type: "switch" },
    fallback: "off",
    help: "send an array or object on where the model sent it as JSON text in a string",
  },
  tool: {
    section: "Verdicts",
    kind: { type: "text", pattern: /^.+=(?:on|off)$/ },
    value: "<name>=off",
    isList: true,
    help: "leave the calls of a tool alone",
  },
  "fail-open": {
    section: "Verdicts",
    kind: { type: "switch" },
    fallback: "on",
    help: "forward a call whose schema could not be read; --no-fail-open refuses it",
  },
  "max-attempts": {
    section: "Attempts",
    kind: COUNT,
    value: "<n>",
    fallback: "3",
    help: "rejections of one tool before the model is told to stop",
  },
  "attempt-window": {
    section: "Attempts",
    kind: { type: "duration" },
    value: "<time>",
    fallback: "10m",
    help: "idle time after which attempts are forgotten",
  },
  coalesce: {
    section: "Attempts",
    kind: { type: "duration" },
    value: "<time>",
    fallback: "100ms",
    help: "rejections this close together are one attempt",
  },
  "attempt-key": {
    section: "Attempts",
    kind: {
      type: "text",
      pattern: /^(?:auto|header:[A-Za-z0-9-]+|meta:.+)$/,
      wants: "auto, header:<name> or meta:<key>",
    },
    value: "<key>",
    fallback: "auto",
    help: "whose attempts they are, over HTTP: auto, header:<name> or meta:<key>",
  },
  "on-exhausted": {
    section: "Attempts",
    kind: { type: "choice", choices: ["answer", "forward"] },
    fallback: "answer",
    help: "invalid calls of a tool whose attempts are spent",
  },
  style: {
    section: "Message",
    kind: { type: "choice", choices: ["standard", "compact"] },
    fallback: "standard",
    help: "layout of the message that the model reads",
  },
  "max-chars": {
    section: "Message",
    kind: { type: "integer", from: 400, to: 1_000_000 },
    value: "<n>",
    fallback: "2000",
    help: "longest message",
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
    help: "longer messages are passed on unread",
  },
  grace: {
    section: "Limits",
    kind: { type: "duration" },
    value: "<time>",
    fallback: "1s",
    help: "time for the server to end, first when its input has ended, then after SIGTERM",
  },
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
  "log-level": {
    section: "Logs and metrics",
    kind: { type: "choice", choices: ["info", "warn", "silent"] },
    fallback: "warn",
    help: "what goes to standard error",
  },
  "log-file": {
    section: "Logs and metrics",
    kind: { type: "text" },
    value: "<file>",
    help: "JSON lines of everything, never with a value of an argument",
  },
  "metrics-file": {
    section: "Logs and metrics",
    kind: { type: "text" },
    value: "<file>",
    help: "Prometheus text, renewed every 10 seconds and at the end",
  },
  "metrics-port": {
    section: "Logs and metrics",
    kind: PORT,
    value: "<port>",
    help: "Prometheus endpoint /metrics on the loopback address",
  },
  config: {
    section: "Configuration",
    kind: { type: "text" },
    value: "<file>",
    mayBeOff: true,
    help: "a file that wins over .agent/config.yml of the working directory, project, home and machine; --no-config reads none",
  },
};

/** All flags with their names. */
export const FLAG_ENTRIES: readonly (readonly [FlagName, Flag])[] = Object.entries(
  FLAGS,
) as readonly (readonly [string, Flag])[] as readonly (readonly [FlagName, Flag])[];
