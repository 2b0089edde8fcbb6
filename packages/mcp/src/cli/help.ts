import { OF_AN_EDGE, PREFIXES } from "../http/index.ts";
import { type Flag, variableOf } from "./flag.ts";
import { FLAG_ENTRIES } from "./flags.ts";

const WIDTH = 100;
const INDENT = 28;

/** Generates the text of --help. */
export function helpText(): string {
  const sections = [...new Set(FLAG_ENTRIES.map(([, { section }]) => section))];
  return `${[
    "Usage: toolcontract-mcp [options] -- <command> [arguments]   guards a server on stdio",
    "       toolcontract-mcp [options] --upstream <url>           guards a server on Streamable HTTP",
    ...sections.map(sectionText),
    `Other:\n${entry("-h, --help", "show this help")}\n${entry("-v, --version", "show the version")}`,
    "Each option has an environment variable: --max-attempts is TOOLCONTRACT_MAX_ATTEMPTS. Several values\ngo on separate lines. The command line overrides the environment.",
  ].join("\n\n")}\n`;
}

/** Generates docs/mcp-flags.md. */
export function flagPage(): string {
  return `# Flags of toolcontract-mcp

Every flag of the proxy in front of an MCP server, with its environment variable and its default.

The command line overrides the environment, which overrides [\`.agent/config.yml\`](../packages/config/README.md). Turn
a switch off with \`--no-<flag>\`, or with \`off\` in the environment. For several values, repeat the flag, or put them on
separate lines in the variable. The [README](../packages/mcp/README.md) shows how to start the proxy.

${flagTable()}

## Before it runs

\`toolcontract-mcp --check -- <command>\`, or with \`--upstream\`, reads the configuration, connects to the server as a client
does, and prints a line for each tool: whether it would be guarded, and what is odd about it, such as a keyword that is left
out of its schema. It calls no tool. With \`--store\`, it says whether the store answers. It exits with 0 if the server listed its tools, odd ones included, with 3 if it could not
be reached, and with 4 if the configuration is invalid.

## Who is who

Over HTTP, a session is one conversation. Requests without a session come from one user if all headers are equal that may
tell users apart; without credentials, their address counts, too. Only requests of one user share a tool list and its
attempts. These headers tell nobody apart, because they belong to a message, or edges and tracers write another one with
every request: those of the protocol (\`Accept\`, \`Mcp-Name\`, …), \`X-Request-Id\`, \`X-Correlation-Id\`,
\`Idempotency-Key\`, ${OF_AN_EDGE.map((name) => `\`${name}\``).join(", ")}, and what begins with
${PREFIXES.map((prefix) => `\`${prefix}\``).join(", ")}. \`X-Forwarded-For\` counts without its ports.

- **\`--vary X-Tenant\`**: of all headers, only these tell users apart, beside session and credentials.
- **\`--attempt-key header:X-User\`**: this one value stands for all headers and the address, for attempts and tool lists
  alike; session and credentials still keep lists apart. Use it where one client serves several users, too.

If 20 clients in a row are new and differ in one header alone, the log names that header, once.

Attempts are remembered for 30,000 tools in all conversations together, and tool lists for 1,000 users. If there are
more attempts, those of the address with the most are forgotten first, the oldest of them before the others; a network
of IPv6 (\`/64\`) is one address. So a client that invents session ids is never blocked, but displaces only its own.

With many clients, most of the memory is V8's young generation, which grows to what Node allows at its start. With 200
clients that is about 250 MB; \`NODE_OPTIONS=--max-semi-space-size=8\` makes it 145 to 180, at about the same speed.

## Limits of a call

They hold for every call that is forwarded, in every mode and for tools that are not validated. \`withContract\` and
\`createGate\` take the same limits as options, \`toolTimeout\`, \`toolResponseMaxBytes\`, \`truncateExempt\`, \`queues\` and
\`queueOf\`, and so does \`guardClient\`, which puts them around a client in place of a server.

- **\`--tool-timeout 30s\`**: the client gets an error result, \`(tool failed: timeout)\`, and the server
  \`notifications/cancelled\`; without a session over HTTP its request is aborted, which means the same. A response that
  comes later is dropped. Whatever the tool has done by then stays done. A call that asks for a task gets an error. The
  limit is for silence: it stands while the server asks the client for a person or its model (elicitation, sampling), for
  all calls of the session that run then, and a call's progress starts it anew, up to ten times the limit in all.
- **\`--tool-response-max-bytes 32kb\`**: all text of a result together, in UTF-8, never cut inside a character. It begins
  with \`[TRUNCATED] Original size X bytes; truncated to Y bytes.\` and a line feed, which are not counted, and has its
  beginning and its end, with \`[... N bytes left out ...]\` between them; below 256 bytes its beginning. Images, audio
  and links stay. If the JSON of \`structuredContent\` is longer than the limit, it is left out and the result becomes an
  error, because clients refuse a success without it; \`guardClient\`, which comes after that check, only leaves it out.
  Results are read up to 64 MB for this, whatever \`--max-body\` is; longer ones are relayed unread, so they are not cut.
- **\`--queue browser=2 --queue-of open_page=browser\`**: at most two calls of the queue run at once, in this process,
  for all clients together; others wait, and leave the queue if their client cancels. The time of a call begins with its
  place, and a call over its time gives its place back although the server may still work on it. A call whose
  stream of events ends early over HTTP keeps its place until [the client resumes it](operating-the-proxy.md#a-request-that-fails),
  or has not for some seconds.

The log has a warning for each call over its time, with the limit, and for each result that was cut, with its size.
\`toolcontract_limited_calls_total\` counts both, by \`limit\` (\`time\` or \`size\`), and \`toolcontract_queue_calls\` shows how
many calls of each queue are \`running\` and \`waiting\` now.

## Results

A result whose \`structuredContent\` does not fit the \`outputSchema\` of its tool, or is missing, is logged with the codes and
places of the faults, never a value, and counted in \`toolcontract_invalid_results_total\`. With \`--results enforce\` the
client gets an error result (\`outcome="replaced"\`): the faults, then the tool's own \`content\`, without structured content,
because clients refuse such a result. A model that reads the server's fault need not try other arguments. The call did run. Errors of
tools, tasks and results that ask for input are not looked at, and neither are tools without an output schema.

## Guardrails

\`--guardrails ./guardrails.js\` loads a JavaScript module, from the working directory, that exports \`guardrails\` (or has
it as its default export). Install \`@toolcontract/guardrails\` beside it. The tools run in the server, so \`stateChanges\`
says what a call does to the state, and \`compensate\` names the call that undoes one:
[policies in front of an MCP server](guardrails-recipes.md#policies-in-front-of-an-mcp-server). A file that cannot be loaded,
an option that is wrong and a mode other than \`enforce\` end the proxy at once; a tool that the server does not list is a
warning in the log. The state is that of the proxy, for all its users, and is gone with its process. A function
\`grant\` that it exports too lets the person at the client agree to a call that a guardrail asks about:
[asking a person](asking-a-person.md#in-mcp).

## What is counted

\`--metrics-port\` serves \`/metrics\`, \`/healthz\` (the proxy runs) and \`/readyz\` (it takes requests, and the server
can be reached). It listens on the loopback address, for requests with a loopback name as \`Host\`; with
\`--metrics-host 0.0.0.0\` on all of them, for requests with an address or a name of \`--allow-host\`.

\`--metrics-file\` is replaced as a whole, so that a reader never sees half of it. A link stays, and what it points at is
replaced. Anything but a file, such as a device, a pipe or a folder, ends the proxy at the start; if it takes the place of
the file later, it stays as it is, and the log has a warning.

The metrics are those of the [contract](telemetry.md#metrics), with the names that OpenTelemetry has in Prometheus, and the
ones of the proxy: \`mcp_server_operation_duration_seconds\` from a tool call to its answer, by \`gen_ai_tool_name\`,
\`error_type\` (\`tool_error\`, the code of a JSON-RPC error, \`timeout\`, \`cancelled\`, \`unreachable\`, \`connection_lost\`, or a status
such as \`http_404\`) and \`network_transport\`, and
\`toolcontract_build_info\` with the \`version\`. The [dashboard and the alerts](telemetry.md#dashboard-and-alerts) fit both.
\`toolcontract_calls_total\` counts validated calls; \`toolcontract_unvalidated_calls_total\` counts all others, by
\`reason\` and by \`outcome\`, \`forwarded\` or \`refused\`. Both together are as many as the operations, whatever ended a call:

| reason       | why a call was not validated                                                                  |
| ------------ | --------------------------------------------------------------------------------------------- |
| \`tool-list\`  | the server did not list its tools; it is asked again with the next call                       |
| \`schema\`     | the tool's schema does not compile                                                            |
| \`unlisted\`   | the server does not list the tool                                                             |
| \`soft\`       | it does not fit its schema, and the server failed in words of its own, or did not answer       |
| \`turned-off\` | \`--tool <name>=off\`                                                                         |
| \`unreadable\` | servers may read it differently: invalid JSON, names that occur twice, another charset, a batch |
| \`too-large\`  | it is larger than \`--max-body\`                                                              |
| \`other-path\` | it was sent to another path than \`--endpoint\`                                               |
| \`gate\`       | the validation itself failed                                                                  |

A message larger than \`--max-body\` is followed as it passes, and never kept. What may be a tool call is refused in mode
\`enforce\`, with the limit in the error; so is a compressed body that decodes to more. Other messages and all results
pass; they are counted in \`toolcontract_unread_messages_total\`, by who sent them (\`from\`), as are results over HTTP
that the proxy had to read. No stage sees such a result. A list of tools is read up to 64 MB, whatever \`--max-body\` is.

A message in which one object has more than 20,000 names is not parsed, because everybody would wait for it: what may be a tool
call is refused in mode \`enforce\` as \`unreadable\`, other messages pass.

Over HTTP, the bodies that the proxy holds use at most sixteen times \`--max-body\` of memory together, counted as decoded
and until the server has taken them. Above that, those that arrive slowest get a 503.

The log has a line for each of them at level \`info\`, and one warning, "Tool contract degraded", the first time. It has
the same warning for a server on the old HTTP+SSE transport (\`http-sse\`), for a redirect to another host
(\`redirect\`), which leads clients past the proxy, and for a request over HTTP on which the proxy itself failed
(\`exchange\`): that request gets a 502, or a connection that is cut, and all others go on.

## Spans

\`--otlp http://127.0.0.1:4318\` sends a span for each tool call to a collector, from the client's request to its answer. Its
parent is the \`traceparent\` of the message's \`_meta\` or of the HTTP request. Names and attributes are those of the
[contract](telemetry.md), which marks a span if it refuses the call: the codes, the places in the schema and the attempt,
never a value. \`error.type\` is \`cancelled\` if the client is gone. The standard variables apply, such as
\`OTEL_SERVICE_NAME\`, \`OTEL_RESOURCE_ATTRIBUTES\` and \`OTEL_EXPORTER_OTLP_HEADERS\`. Install OpenTelemetry's SDK beside
this package; the proxy names the packages if they are missing.

## The end

After SIGTERM, SIGINT or the end of its input, the proxy takes no new requests, and calls in flight have \`--grace\` to
finish. Then it closes the server's input; SIGTERM and SIGKILL follow, at most a second apart. A second signal, or one
after the end of the input, skips the waiting: MCP hosts close the input, send SIGTERM after two seconds, and kill the
proxy after four. Messages that were not parsed, such as batches on stdio, are not waited for. A call that has no
answer by then gets a JSON-RPC error: its outcome is unknown.

SIGHUP opens the log file anew and reads the configuration files again, without ending a call. SIGUSR2 writes to standard
error what was refused, or with \`--mode audit\` would have been; in audit mode the proxy writes it at the end too.

Lines on standard error are dropped while more than 1 MB waits for a reader. The metric
\`toolcontract_dropped_log_lines_total\` counts them, and one line says how many once somebody reads again.

Exit codes: the server's own once it runs, or 128 plus the number of the signal that ended it. The proxy's: 0 success, 1
an internal error, 3 the server could not be started, 4 an invalid command line or configuration file. A tool schema that
cannot be used ends no proxy: it is a warning in the log.
`;
}

/** Generates the table of all flags. */
export function flagTable(): string {
  const rows = FLAG_ENTRIES.map(([name, flag]) => {
    const value = valueName(flag).replaceAll("|", "\\|");
    const flagCell = `\`--${name}${value === "" ? "" : ` ${value}`}\``;
    const fallback = flag.fallback === undefined ? "" : `\`${flag.fallback}\``;
    const help = flag.isList ? `${flag.help}; repeatable` : flag.help;
    return `| ${flagCell} | \`${variableOf(name)}\` | ${fallback} | ${cellText(help)} |`;
  });
  return [
    "| flag | variable | default | what it does |",
    "| --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

/** Escapes what has a meaning in a Markdown table. */
function cellText(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/(--[\w-]+|<\w+>)/g, "`$1`");
}

function sectionText(section: string): string {
  const lines = FLAG_ENTRIES.filter(([, flag]) => flag.section === section).map(([name, flag]) => {
    const value = valueName(flag);
    const notes = [
      flag.help,
      flag.isList && "repeatable",
      flag.fallback !== undefined && `default ${flag.fallback}`,
    ].filter((note) => typeof note === "string");
    return entry(`--${name}${value === "" ? "" : ` ${value}`}`, notes.join("; "));
  });
  return `${section}:\n${lines.join("\n")}`;
}

function valueName({ kind, value }: Flag): string {
  return value ?? (kind.type === "choice" ? kind.choices.join("|") : "");
}

/** Formats a flag and its help, wrapped and indented. */
function entry(name: string, help: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of help.split(" ")) {
    if (line !== "" && INDENT + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? word : ` ${word}`;
  }
  lines.push(line);
  const head = `  ${name}`;
  const indent = " ".repeat(INDENT);
  const isLong = head.length >= INDENT;
  const first = isLong ? `${head}\n${indent}` : head.padEnd(INDENT);
  return `${first}${lines.join(`\n${indent}`)}`;
}
