import { type FileOption, OPTIONS, type OptionName } from "@toolcontract/core/options";
import { isSchemaProvider } from "@toolcontract/core/adapter";
import { HTTP_FLAGS } from "./http-flags.ts";
import { type Flag, type FlagKind, type FlagValue, OFF, type OwnSettings, PORT } from "./flag.ts";

const LARGEST = 1_000_000;

/** The flags that set an option of the contract. */
type ContractFlagName =
  | "unknown-args"
  | "unwrap-strings"
  | "over-budget"
  | "max-attempts"
  | "style"
  | "max-chars"
  | "max-errors";

/** The name of a flag, without its dashes. */
export type FlagName = keyof OwnSettings | ContractFlagName;

/** The value of every flag; those that set an option of the contract are only passed on. */
export type Settings = OwnSettings & Readonly<Record<ContractFlagName, FlagValue>>;

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
    option: "unknownFields",
    inCode: { ignore: "schema" },
    kind: { type: "choice", choices: ["ignore", "warn", "reject"] },
    fallback: "ignore",
    help: "fields that the schema neither declares nor forbids; warn adds a note to the result",
  },
  "unwrap-strings": {
    section: "Validation",
    ...depending("unwrapStrings"),
    help: "if the model sends an array or object as a JSON string, forward the array or object, and {} for arguments that are left out; on in mode assist, or else off; scalars: numbers and booleans too, which some clients quote",
  },
  tool: {
    section: "Validation",
    kind: { type: "string", pattern: /^.+=(?:on|off)$/ },
    value: "<name>=off",
    isList: true,
    help: "forward the calls of a tool unchecked",
  },
  results: {
    section: "Validation",
    kind: { type: "choice", choices: ["off", "report", "enforce"] },
    fallback: "report",
    help: "results that do not fit the outputSchema of their tool: report logs and counts them, enforce answers with the faults as an error of the tool",
  },
  provider: {
    section: "Validation",
    kind: { type: "choice", choices: isSchemaProvider.schema["enum"] as readonly string[] },
    help: "show clients the schemas of the tools as this provider takes them; calls are judged by the server's own",
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
    help: "forward a call that cannot be validated: without a tool list or a schema that compiles, or on another path; --no-fail-open refuses it",
  },
  "over-budget": {
    section: "Validation",
    ...fromRow("overBudget"),
    help: "arguments that would cost too much to check; accept forwards the call, and --fail-open does not",
  },
  "max-attempts": {
    section: "Attempts",
    ...fromRow("maxAttempts"),
    value: "<n>",
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
    help: "rejections within this time count as one attempt, unless a valid call comes between them",
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
  store: {
    section: "Attempts",
    kind: {
      type: "string",
      pattern: /^(?:(?:rediss?|postgres(?:ql)?):\/\/.|(?!\w+:\/\/).*\.(?:db|sqlite3?)$)/,
      expected:
        "a URL such as redis://127.0.0.1:6379 or postgres://127.0.0.1/shop, or a file such as attempts.db",
    },
    value: "<url|file>",
    help: "where several proxies count attempts together: Redis from 6.2 or Valkey, redis:// or rediss://, which needs the package redis; Postgres from 12, postgres://, which needs the package pg; or, for those of one machine, a file of SQLite (.db, .sqlite), which needs Node 22.5",
  },
  "store-timeout": {
    section: "Attempts",
    kind: { type: "duration" },
    value: "<time>",
    fallback: "500ms",
    help: "how long a failed call waits for the store, before it is counted in the process; valid calls do not wait",
  },
  "on-exhausted": {
    section: "Attempts",
    kind: { type: "choice", choices: ["answer", "forward"] },
    fallback: "answer",
    help: "invalid calls of a tool with no attempts left",
  },
  style: {
    section: "Message",
    ...fromRow("format.style"),
    help: "layout of the message for the model",
  },
  "max-chars": {
    section: "Message",
    ...fromRow("format.maxLength"),
    value: "<n>",
    help: "longest message, in characters",
  },
  "max-errors": {
    section: "Message",
    ...fromRow("format.maxErrors"),
    value: "<n>",
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
    help: "longer messages are not read: tool calls are refused, others relayed",
  },
  "tool-timeout": {
    section: "Limits",
    kind: { type: "duration" },
    value: "<time>",
    help: "a call that takes longer is cancelled at the server and answered with (tool failed: timeout); its time in a queue is not counted; 0 sets no limit",
  },
  "tool-response-max-bytes": {
    section: "Limits",
    kind: { type: "size", bytes: true },
    value: "<size>",
    help: "longer text of a result is cut, below a line that says so; images stay; 0 sets no limit",
  },
  queue: {
    section: "Limits",
    kind: {
      type: "string",
      pattern: /^.+=[1-9]\d{0,5}$/,
      expected: "<queue>=<n>, such as browser=2",
    },
    value: "<queue>=<n>",
    isList: true,
    help: "calls of the queue run at most n at once, and others wait; the queue default is that of tools without one",
  },
  "queue-of": {
    section: "Limits",
    kind: {
      type: "string",
      pattern: /^.+=.+$/,
      expected: "<tool>=<queue>, such as open_page=browser",
    },
    value: "<tool>=<queue>",
    isList: true,
    help: "the queue of a tool",
  },
  grace: {
    section: "Limits",
    kind: { type: "duration" },
    value: "<time>",
    fallback: "10s",
    help: "how long calls in flight may take after a signal or the end of the input",
  },
  ...HTTP_FLAGS,
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
  otlp: {
    section: "Logs and metrics",
    kind: {
      type: "string",
      pattern: /^https?:\/\/[^/]/,
      expected: "a collector's URL such as http://127.0.0.1:4318",
    },
    value: "<url>",
    help: "send a span for each tool call to a collector, by OTLP over HTTP (/v1/traces is added); needs OpenTelemetry's SDK beside this package",
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
    help: "/metrics for Prometheus, /healthz and /readyz, on --metrics-host",
  },
  "metrics-host": {
    section: "Logs and metrics",
    kind: { type: "string", expected: "an address such as 127.0.0.1" },
    value: "<address>",
    fallback: "127.0.0.1",
    help: "address of --metrics-port; 0.0.0.0 lets other machines read it, by address or by a name of --allow-host",
  },
  check: {
    section: "Configuration",
    kind: { type: "switch" },
    fallback: "off",
    help: "read the configuration, ask the server for its tools, print what would be guarded and what is odd about them, and end",
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
) as readonly (readonly [FlagName, Flag])[];

/** The values and the default that an option of the contract has. */
function fromRow(option: OptionName): Pick<Flag, "option" | "kind" | "fallback"> {
  const { schema, fallback } = OPTIONS[option] as FileOption;
  const text = typeof fallback === "boolean" ? (fallback ? "on" : OFF) : fallback;
  return { option, kind: flagKind(schema), ...(text !== undefined && { fallback: String(text) }) };
}

/** The same for an option whose default depends on another one: it is left to the gate. */
function depending(option: OptionName): Pick<Flag, "option" | "kind"> {
  const { fallback: _, ...row } = fromRow(option);
  return row;
}

function flagKind({ type, minimum, enum: choices }: FileOption["schema"]): FlagKind {
  if (type === "boolean") return { type: "switch" };
  if (Array.isArray(type)) {
    const words = (choices as readonly unknown[]).filter((word) => typeof word === "string");
    return { type: "switch", words };
  }
  if (type === "integer") return { type: "integer", from: Number(minimum), to: LARGEST };
  if (choices !== undefined) return { type: "choice", choices: choices as readonly string[] };
  return { type: "string" };
}
