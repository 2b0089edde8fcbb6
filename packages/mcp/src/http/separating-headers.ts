/** The header that names a session. */
export const SESSION: string = "mcp-session-id";

/** Headers of the protocol and of a single message, which identify neither a user nor what the user may see. */
const OF_A_MESSAGE = [
  "accept",
  "accept-encoding",
  "cache-control",
  "content-encoding",
  "content-length",
  "content-type",
  "date",
  "host",
  "idempotency-key",
  "last-event-id",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  SESSION,
  "pragma",
  "x-correlation-id",
  "x-request-id",
];

/** Headers that tracers and edges write, another one with every request. */
export const OF_AN_EDGE: readonly string[] = [
  "akamai-request-id",
  "b3",
  "baggage",
  "cf-ray",
  "elastic-apm-traceparent",
  "fly-request-id",
  "grpc-trace-bin",
  "newrelic",
  "request-id",
  "sentry-trace",
  "traceparent",
  "tracestate",
  "uber-trace-id",
  "x-amz-cf-id",
  "x-amzn-requestid",
  "x-amzn-trace-id",
  "x-arr-log-id",
  "x-azure-ref",
  "x-cloud-trace-context",
  "x-envoy-attempt-count",
  "x-envoy-expected-rq-timeout-ms",
  "x-ms-request-id",
  "x-nf-request-id",
  "x-queue-start",
  "x-railway-request-id",
  "x-request-start",
  "x-trace-id",
  "x-vercel-id",
];

/** The beginnings of names of the same kind; an argument that a header repeats is one of the message. */
export const PREFIXES: readonly string[] = ["mcp-param-", "x-b3-", "x-datadog-"];

const HARMLESS = new Set([...OF_A_MESSAGE, ...OF_AN_EDGE]);

/** Whether a header, by its name in lower case, may tell one user from another; any may whose name is not known. */
export function separates(name: string): boolean {
  return !HARMLESS.has(name) && !PREFIXES.some((prefix) => name.startsWith(prefix));
}

const FORWARDED_FOR = "x-forwarded-for";
/** An address with a port: IPv4, or IPv6 in brackets, because without them the last group is not a port. */
const WITH_PORT = /^(\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\]):\d+$/i;

/** The part of a header's value that tells users apart: some edges write each connection's port beside the address. */
export function separatingValue(name: string, value: string): string {
  if (name !== FORWARDED_FOR || !value.includes(":")) return value;
  return value
    .split(",")
    .map((address) => address.trim().replace(WITH_PORT, "$1"))
    .join(", ");
}
