import { expect, test } from "vitest";
import { classOf, withCode } from "../testing/index.ts";

/** An error as a client throws it. */
function thrownBy(name: string, message: string, members: object = {}): Error {
  return Object.assign(new Error(message), { name, ...members });
}

const WORLD = "extrinsic";
const MODEL = "adaptive";
const TOOL = "intrinsic";
const LOGIN = "extrinsic, closed";

// What clients throw that the table was not written from. Message and members are those of the client.
test.each<readonly [string, unknown, string]>([
  [
    "pg, two addresses that refuse",
    Object.assign(new AggregateError([withCode("ECONNREFUSED"), withCode("ECONNREFUSED")]), {
      code: "ECONNREFUSED",
    }),
    WORLD,
  ],
  ["mysql2, a full queue of the pool", new Error("Queue limit reached."), WORLD],
  [
    "mysql2, a value that is too long",
    withCode("ER_DATA_TOO_LONG", { errno: 1406, sqlState: "22001" }),
    MODEL,
  ],
  [
    "mssql, a missing table",
    thrownBy("RequestError", "Invalid object name 'x'.", { code: "EREQUEST", number: 208 }),
    TOOL,
  ],
  [
    "mssql, a duplicate",
    thrownBy("RequestError", "Violation of UNIQUE KEY", { code: "EREQUEST", number: 2627 }),
    MODEL,
  ],
  [
    "Prisma, a panic of its engine",
    thrownBy("PrismaClientRustPanicError", "panicked", { clientVersion: "6.1.0" }),
    WORLD,
  ],
  [
    "Mongo, too much time",
    thrownBy("MongoServerError", "operation exceeded time limit", { code: 50 }),
    WORLD,
  ],
  [
    "ioredis, no node of the cluster",
    thrownBy("ClusterAllFailedError", "Failed to refresh slots cache."),
    WORLD,
  ],
  [
    "node-redis, it will not connect again",
    thrownBy("ReconnectStrategyError", "connect ECONNREFUSED"),
    WORLD,
  ],
  [
    "DynamoDB, a condition",
    thrownBy("ConditionalCheckFailedException", "The conditional request failed", {
      $fault: "client",
      $metadata: { httpStatusCode: 400 },
    }),
    MODEL,
  ],
  [
    "Kinesis, a limit of the account",
    thrownBy("LimitExceededException", "Rate exceeded", {
      $fault: "client",
      $metadata: { httpStatusCode: 400 },
    }),
    WORLD,
  ],
  [
    "Google, a token that was withdrawn",
    thrownBy("GaxiosError", "invalid_grant", {
      code: "400",
      status: 400,
      response: { status: 400, data: { error: "invalid_grant" } },
    }),
    LOGIN,
  ],
  [
    "Azure Storage, a wrong key",
    thrownBy("RestError", "Server failed to authenticate the request.", {
      code: "AuthenticationFailed",
      statusCode: 403,
    }),
    LOGIN,
  ],
  [
    "Cosmos DB, retry",
    thrownBy("ErrorResponse", "Conflicting request", { code: 449, substatus: 0 }),
    WORLD,
  ],
  [
    "Stripe, another request under one key",
    thrownBy("Error", "Keys for idempotent requests can only be used with the same parameters", {
      type: "StripeIdempotencyError",
      statusCode: 400,
    }),
    TOOL,
  ],
  [
    "undici, an answer that breaks off",
    Object.assign(new TypeError("terminated"), {
      cause: thrownBy("SocketError", "other side closed", { code: "UND_ERR_SOCKET" }),
    }),
    WORLD,
  ],
  [
    "axios, redirects without end",
    thrownBy("AxiosError", "Maximum number of redirects exceeded", {
      code: "ERR_FR_TOO_MANY_REDIRECTS",
    }),
    WORLD,
  ],
  [
    "got, redirects without end",
    thrownBy("MaxRedirectsError", "Redirected 10 times. Aborting.", {
      code: "ERR_TOO_MANY_REDIRECTS",
    }),
    WORLD,
  ],
  ["ky, its time limit", thrownBy("TimeoutError", "Request timed out: GET https://x.test/"), WORLD],
  [
    "GitHub, a limit that answers 403",
    thrownBy("HttpError", "API rate limit exceeded for user ID 1.", { status: 403 }),
    WORLD,
  ],
  ["node:fs, a read-only disk", withCode("EROFS", { path: "/srv/a" }), WORLD],
  ["node:fs, a busy file", withCode("EBUSY", { path: "/srv/a" }), WORLD],
  ["node:fs, a folder of the tool's own", withCode("ENOTEMPTY", { path: "/srv/own" }), TOOL],
  ["node:tls, an unknown issuer", withCode("UNABLE_TO_GET_ISSUER_CERT_LOCALLY"), WORLD],
  ["node:tls, no TLS at all", withCode("ERR_SSL_WRONG_VERSION_NUMBER"), WORLD],
  ["node:http, no HTTP at all", withCode("HPE_INVALID_CONSTANT"), WORLD],
  ["node:http2, a session that goes away", withCode("ERR_HTTP2_GOAWAY_SESSION"), WORLD],
  ["node:stream, an early end", withCode("ERR_STREAM_PREMATURE_CLOSE"), WORLD],
  [
    "nodemailer, a grey list",
    withCode("EENVELOPE", { responseCode: 450, command: "RCPT TO" }),
    WORLD,
  ],
  [
    "nodemailer, no such mailbox",
    withCode("EENVELOPE", { responseCode: 550, command: "RCPT TO" }),
    MODEL,
  ],
  ["nodemailer, no TLS", withCode("ETLS", { command: "STARTTLS" }), WORLD],
])("%s", (_, error, expected) => {
  const { class: kind, terminal } = classOf(error) ?? {};
  expect(terminal === undefined ? kind : `${kind}, closed`).toBe(expected);
});
