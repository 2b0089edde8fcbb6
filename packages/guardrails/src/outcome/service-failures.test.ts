import { describe, expect, test } from "vitest";
import type { Classification, TerminalReason } from "../shared/index.ts";
import { adaptive, classOf, extrinsic, intrinsic, withCode } from "../testing/index.ts";

/** An error of a driver: its name, its message and what else it carries. */
function thrownBy(name: string, message: string, members: object = {}): Error {
  return Object.assign(new Error(message), { name, ...members });
}

/** A failure that closes the tool. */
function closing(
  error_type: string,
  terminal: TerminalReason = "missing_credentials",
): Classification {
  return { ...extrinsic(error_type), terminal };
}

const aws = (name: string, httpStatusCode: number, more: object = {}): Error =>
  thrownBy(name, "it failed", { $fault: "client", $metadata: { httpStatusCode }, ...more });
const sqlite = (errcode: number, message: string): Error =>
  withCode("ERR_SQLITE_ERROR", { errcode, message });
const google = (reason: string, status = 403): Error =>
  thrownBy("GaxiosError", "it failed", {
    status,
    code: status,
    errors: [{ domain: "usageLimits", reason }],
    response: { status, data: { error: { code: status, errors: [{ reason }] } } },
  });

describe("everyday failures of databases, queues and clouds", () => {
  test.each<readonly [string, unknown, Classification]>([
    // SQLite
    ["node:sqlite, locked", sqlite(5, "database is locked"), extrinsic("SQLITE_BUSY")],
    ["node:sqlite, a snapshot", sqlite(517, "database is locked"), extrinsic("SQLITE_BUSY")],
    ["node:sqlite, full", sqlite(13, "database or disk is full"), extrinsic("SQLITE_FULL")],
    ["node:sqlite, a constraint", sqlite(2067, "UNIQUE failed"), adaptive("SQLITE_CONSTRAINT")],
    ["better-sqlite3, busy", withCode("SQLITE_BUSY_SNAPSHOT"), extrinsic("SQLITE_BUSY")],
    ["better-sqlite3, disk", withCode("SQLITE_IOERR_WRITE"), extrinsic("SQLITE_IOERR")],
    [
      "better-sqlite3, a constraint",
      withCode("SQLITE_CONSTRAINT_UNIQUE"),
      adaptive("SQLITE_CONSTRAINT"),
    ],
    // SQLSTATE
    ["pg, serialization", withCode("40001"), extrinsic("sqlstate_40001")],
    ["pg, deadlock", withCode("40P01"), extrinsic("sqlstate_40P01")],
    ["pg, starting up", withCode("57P03"), extrinsic("sqlstate_57P03")],
    ["pg, too many clients", withCode("53300"), extrinsic("sqlstate_53300")],
    ["pg, statement timeout", withCode("57014"), extrinsic("sqlstate_57014")],
    ["pg, lock not available", withCode("55P03"), extrinsic("sqlstate_55P03")],
    ["pg, no privilege", withCode("42501"), extrinsic("sqlstate_42501")],
    ["pg, a wrong password", withCode("28P01"), closing("sqlstate_28P01")],
    ["pg, read-only after a failover", withCode("25006"), extrinsic("sqlstate_25006")],
    ["pg, a duplicate", withCode("23505"), adaptive("sqlstate_23505")],
    ["pg, a bad number", withCode("22P02"), adaptive("sqlstate_22P02")],
    ["pg, a missing table", withCode("42P01"), intrinsic("sqlstate_42P01")],
    [
      "pg, the connection",
      new Error("Connection terminated unexpectedly"),
      extrinsic("connection_lost"),
    ],
    [
      "pg-pool, no connection",
      new Error("timeout exceeded when trying to connect"),
      extrinsic("timeout"),
    ],
    [
      "Drizzle around pg",
      thrownBy("DrizzleQueryError", "Failed query", { cause: withCode("40001") }),
      extrinsic("sqlstate_40001"),
    ],
    [
      "Sequelize around pg",
      thrownBy("SequelizeDatabaseError", "deadlock", { parent: withCode("40P01") }),
      extrinsic("sqlstate_40P01"),
    ],
    [
      "Sequelize",
      thrownBy("SequelizeConnectionRefusedError", "no"),
      extrinsic("SequelizeConnectionRefusedError"),
    ],
    [
      "TypeORM",
      thrownBy("QueryFailedError", "no", { driverError: withCode("53300") }),
      extrinsic("sqlstate_53300"),
    ],
    [
      "Knex",
      thrownBy("KnexTimeoutError", "Timeout acquiring a connection"),
      extrinsic("KnexTimeoutError"),
    ],
    [
      "mysql2, deadlock",
      withCode("ER_LOCK_DEADLOCK", { errno: 1213, sqlState: "40001" }),
      extrinsic("sqlstate_40001"),
    ],
    [
      "mysql2, lock wait",
      withCode("ER_LOCK_WAIT_TIMEOUT", { errno: 1205, sqlState: "HY000" }),
      extrinsic("ER_LOCK_WAIT_TIMEOUT"),
    ],
    [
      "mysql2, connection",
      withCode("PROTOCOL_CONNECTION_LOST", { fatal: true }),
      extrinsic("PROTOCOL_CONNECTION_LOST"),
    ],
    [
      "mysql2, a duplicate",
      withCode("ER_DUP_ENTRY", { errno: 1062, sqlState: "23000" }),
      adaptive("sqlstate_23000"),
    ],
    [
      "mysql2, a wrong password",
      withCode("ER_ACCESS_DENIED_ERROR", { sqlState: "28000" }),
      closing("sqlstate_28000"),
    ],
    [
      "SQL Server, deadlock",
      thrownBy("RequestError", "no", { code: "EREQUEST", number: 1205 }),
      extrinsic("mssql_1205"),
    ],
    ["SQL Server, login", thrownBy("ConnectionError", "no", { code: "ELOGIN" }), closing("ELOGIN")],
    ["Oracle, deadlock", new Error("ORA-00060: deadlock detected"), extrinsic("ORA-00060")],
    // Prisma
    [
      "Prisma, unreachable",
      thrownBy("PrismaClientInitializationError", "no", { errorCode: "P1001" }),
      extrinsic("P1001"),
    ],
    [
      "Prisma, a pool",
      thrownBy("PrismaClientKnownRequestError", "no", { code: "P2024" }),
      extrinsic("P2024"),
    ],
    [
      "Prisma, a conflict",
      thrownBy("PrismaClientKnownRequestError", "no", { code: "P2034" }),
      extrinsic("P2034"),
    ],
    [
      "Prisma, a duplicate",
      thrownBy("PrismaClientKnownRequestError", "no", { code: "P2002" }),
      adaptive("P2002"),
    ],
    [
      "Prisma, not found",
      thrownBy("PrismaClientKnownRequestError", "no", { code: "P2025" }),
      adaptive("P2025"),
    ],
    [
      "Prisma, credentials",
      thrownBy("PrismaClientInitializationError", "no", { errorCode: "P1000" }),
      closing("P1000"),
    ],
    [
      "Prisma, a wrong query",
      thrownBy("PrismaClientValidationError", "no"),
      intrinsic("invalid_data"),
    ],
    [
      "Prisma, a crash",
      thrownBy("PrismaClientRustPanicError", "no"),
      extrinsic("PrismaClientRustPanicError"),
    ],
    // MongoDB
    [
      "MongoDB, no server",
      thrownBy("MongoServerSelectionError", "no"),
      extrinsic("MongoServerSelectionError"),
    ],
    ["MongoDB, the network", thrownBy("MongoNetworkError", "no"), extrinsic("MongoNetworkError")],
    [
      "MongoDB, not primary",
      thrownBy("MongoServerError", "no", { code: 10107, codeName: "NotWritablePrimary" }),
      extrinsic("mongo_10107"),
    ],
    [
      "MongoDB, a conflict",
      thrownBy("MongoServerError", "no", { code: 112, errorLabels: ["TransientTransactionError"] }),
      extrinsic("mongo_112"),
    ],
    [
      "MongoDB, a label",
      thrownBy("MongoServerError", "no", {
        code: 9001,
        errorLabelSet: new Set(["RetryableWriteError"]),
      }),
      extrinsic("mongo_9001"),
    ],
    [
      "MongoDB, a duplicate",
      thrownBy("MongoServerError", "E11000", { code: 11000 }),
      adaptive("mongo_11000"),
    ],
    ["MongoDB, a password", thrownBy("MongoServerError", "no", { code: 18 }), closing("mongo_18")],
    [
      "MongoDB, unknown",
      thrownBy("MongoServerError", "no", { code: 99999 }),
      extrinsic("mongo_99999"),
    ],
    [
      "Mongoose",
      thrownBy("MongooseError", "Operation `users.find()` buffering timed out after 10000ms"),
      extrinsic("timeout"),
    ],
    // Redis
    [
      "Redis, loading",
      thrownBy("ReplyError", "LOADING Redis is loading the dataset in memory"),
      extrinsic("redis_LOADING"),
    ],
    [
      "Redis, read-only",
      thrownBy("ErrorReply", "READONLY You can't write against a read only replica."),
      extrinsic("redis_READONLY"),
    ],
    [
      "Redis, memory",
      thrownBy("SimpleError", "OOM command not allowed when used memory > 'maxmemory'."),
      extrinsic("redis_OOM"),
    ],
    [
      "Redis, a password",
      thrownBy("ReplyError", "NOAUTH Authentication required."),
      closing("redis_NOAUTH"),
    ],
    [
      "Redis, a wrong type",
      thrownBy("ReplyError", "WRONGTYPE Operation against a key"),
      intrinsic("redis_WRONGTYPE"),
    ],
    [
      "ioredis, retries",
      thrownBy("MaxRetriesPerRequestError", "Reached the max retries"),
      extrinsic("MaxRetriesPerRequestError"),
    ],
    ["ioredis, closed", new Error("Connection is closed."), extrinsic("connection_lost")],
    ["ioredis, timeout", new Error("Command timed out"), extrinsic("timeout")],
    [
      "node-redis, closed",
      thrownBy("ClientClosedError", "The client is closed"),
      extrinsic("connection_lost"),
    ],
    [
      "node-redis, socket",
      thrownBy("SocketClosedUnexpectedlyError", "no"),
      extrinsic("SocketClosedUnexpectedlyError"),
    ],
    // AWS
    ["AWS, throttled", aws("ThrottlingException", 400), extrinsic("ThrottlingException")],
    [
      "AWS, told to retry",
      aws("LimitExceededException", 400, { $retryable: { throttling: true } }),
      extrinsic("LimitExceededException"),
    ],
    [
      "AWS, throughput",
      aws("ProvisionedThroughputExceededException", 400),
      extrinsic("ProvisionedThroughputExceededException"),
    ],
    [
      "AWS, its own fault",
      aws("InternalServerException", 500, { $fault: "server" }),
      extrinsic("InternalServerException"),
    ],
    ["AWS, an expired token", aws("ExpiredTokenException", 400), closing("ExpiredTokenException")],
    [
      "AWS, an unknown key",
      aws("UnrecognizedClientException", 400),
      closing("UnrecognizedClientException"),
    ],
    [
      "AWS, no credentials",
      thrownBy("CredentialsProviderError", "no"),
      closing("CredentialsProviderError"),
    ],
    ["AWS, a condition", aws("ConditionalCheckFailedException", 400), adaptive("http_400")],
    ["AWS, no such key", aws("NoSuchKey", 404), adaptive("http_404")],
    [
      "AWS, one record is denied",
      aws("AccessDeniedException", 400),
      adaptive("AccessDeniedException"),
    ],
    // Google, Azure, Stripe, models
    ["Google, a rate", google("rateLimitExceeded"), extrinsic("rateLimitExceeded")],
    ["Google, a quota", google("quotaExceeded"), extrinsic("quotaExceeded")],
    ["Google, one record", google("forbidden"), adaptive("http_403")],
    ["Cosmos DB, throttled", thrownBy("ErrorResponse", "no", { code: 429 }), extrinsic("http_429")],
    [
      "Azure, no credentials",
      thrownBy("CredentialUnavailableError", "no"),
      closing("CredentialUnavailableError"),
    ],
    [
      "Stripe, a declined card",
      thrownBy("StripeCardError", "declined", {
        type: "StripeCardError",
        code: "card_declined",
        statusCode: 402,
      }),
      extrinsic("http_402"),
    ],
    [
      "Stripe, the network",
      thrownBy("Error", "no", { type: "StripeConnectionError" }),
      extrinsic("StripeConnectionError"),
    ],
    [
      "Stripe, a key",
      thrownBy("Error", "no", { type: "StripeAuthenticationError", statusCode: 401 }),
      closing("http_401"),
    ],
    [
      "OpenAI, the network",
      thrownBy("APIConnectionError", "Connection error."),
      extrinsic("APIConnectionError"),
    ],
    [
      "Anthropic, overloaded",
      thrownBy("APIError", "Overloaded", { status: 529 }),
      extrinsic("http_529"),
    ],
    // Others
    [
      "Kafka",
      thrownBy("KafkaJSNumberOfRetriesExceeded", "no"),
      extrinsic("KafkaJSNumberOfRetriesExceeded"),
    ],
    [
      "Neo4j, transient",
      thrownBy("Neo4jError", "no", { code: "Neo.TransientError.Transaction.DeadlockDetected" }),
      extrinsic("Neo.TransientError.Transaction.DeadlockDetected"),
    ],
    [
      "Neo4j, away",
      thrownBy("Neo4jError", "no", { code: "ServiceUnavailable" }),
      extrinsic("ServiceUnavailable"),
    ],
    [
      "Elasticsearch",
      thrownBy("NoLivingConnectionsError", "no"),
      extrinsic("NoLivingConnectionsError"),
    ],
    ["Cassandra", thrownBy("NoHostAvailableError", "no"), extrinsic("NoHostAvailableError")],
    ["mail, a login", withCode("EAUTH", { responseCode: 535 }), closing("EAUTH")],
    ["mail, the connection", withCode("ECONNECTION"), extrinsic("ECONNECTION")],
    ["the name service of c-ares", withCode("ESERVFAIL"), extrinsic("ESERVFAIL")],
    [
      "a driver that nobody knows",
      thrownBy("AcmeConnectionPoolError", "no"),
      extrinsic("AcmeConnectionPoolError"),
    ],
    ["PostgREST, a token", { code: "PGRST301", message: "JWT expired" }, closing("PGRST301")],
  ])("%s", (_, error, expected) => {
    expect(classOf(error)).toEqual(expected);
  });
});

describe("what an error says is read from wherever its client puts it", () => {
  const ADAPTIVE = adaptive("Error");
  test.each<readonly [string, unknown, Classification]>([
    ["parent", { parent: withCode("40P01") }, extrinsic("sqlstate_40P01")],
    ["original", { original: withCode("40P01") }, extrinsic("sqlstate_40P01")],
    ["originalError", { originalError: withCode("40P01") }, extrinsic("sqlstate_40P01")],
    ["driverError", { driverError: withCode("40P01") }, extrinsic("sqlstate_40P01")],
    ["sqlState", { sqlState: "40001" }, extrinsic("sqlstate_40001")],
    ["sqlstate", { sqlstate: "40001" }, extrinsic("sqlstate_40001")],
    ["errorCode", { errorCode: "P1001" }, extrinsic("P1001")],
    ["a reason", { reason: "RESOURCE_EXHAUSTED" }, extrinsic("RESOURCE_EXHAUSTED")],
    ["Code", { Code: "SlowDown" }, extrinsic("SlowDown")],
    ["__type", { __type: "ThrottlingException" }, extrinsic("ThrottlingException")],
    ["Code that is a code", { Code: "ServiceUnavailable" }, extrinsic("ServiceUnavailable")],
    ["__type that is a code", { __type: "SessionExpired" }, extrinsic("SessionExpired")],
    ["code that is a name", { code: "TooManyRequests" }, extrinsic("TooManyRequests")],
    [
      "data of a response",
      { response: { data: { error: "invalid_client" } } },
      closing("invalid_client"),
    ],
    [
      "body of a response",
      { response: { body: { error: "invalid_grant" } } },
      closing("invalid_grant"),
    ],
    [
      "the eighth of its errors",
      { errors: [...Array.from({ length: 7 }, () => ({})), { reason: "backendError" }] },
      extrinsic("backendError"),
    ],
    [
      "no later one",
      { errors: [...Array.from({ length: 8 }, () => ({})), { reason: "backendError" }] },
      ADAPTIVE,
    ],
    [
      "a code too long for a name",
      { code: `${"x".repeat(200)}QuotaExceeded` },
      extrinsic("service_failed"),
    ],
    [
      "what can be tried again",
      { name: "OddException", $retryable: {} },
      extrinsic("OddException"),
    ],
    ["the server's fault", { name: "OddException", $fault: "server" }, extrinsic("OddException")],
    ["the client's fault", { name: "OddException", $fault: "client" }, adaptive("OddException")],
    ["an invalid name", { name: "odd name", $fault: "server" }, ADAPTIVE],
    [
      "a rate limit in words",
      { message: "API rate limit exceeded for user ID 1." },
      extrinsic("rate_limited"),
    ],
  ])("%s", (_, members, expected) => {
    expect(classOf(Object.assign(new Error("no"), members))).toEqual(expected);
  });
});

test.each<readonly [number, string, Classification["class"]]>([
  [1, "ERROR", "intrinsic"],
  [5, "BUSY", "extrinsic"],
  [6, "LOCKED", "extrinsic"],
  [7, "NOMEM", "extrinsic"],
  [8, "READONLY", "extrinsic"],
  [9, "INTERRUPT", "extrinsic"],
  [10, "IOERR", "extrinsic"],
  [11, "CORRUPT", "extrinsic"],
  [13, "FULL", "extrinsic"],
  [14, "CANTOPEN", "extrinsic"],
  [15, "PROTOCOL", "extrinsic"],
  [18, "TOOBIG", "adaptive"],
  [19, "CONSTRAINT", "adaptive"],
  [20, "MISMATCH", "adaptive"],
  [21, "MISUSE", "intrinsic"],
  [23, "AUTH", "intrinsic"],
  [25, "RANGE", "adaptive"],
  [26, "NOTADB", "extrinsic"],
])("SQLite numbers %i what others name SQLITE_%s", (number, name, kind) => {
  const expected = { error_type: `SQLITE_${name}`, class: kind };
  expect(classOf(sqlite(number, "it failed"))).toMatchObject(expected);
  expect(classOf(sqlite(number + 3 * 256, "it failed"))).toMatchObject(expected);
  expect(classOf(withCode(`SQLITE_${name}`))).toMatchObject(expected);
});

describe("what is the author's stays the author's", () => {
  test.each<readonly [string, unknown, string]>([
    ["a code of five letters", withCode("EMPTY"), "Error"],
    ["a code of five digits of no class", withCode("12345"), "Error"],
    ["a number that is not a driver's", Object.assign(new Error("no"), { code: 112 }), "Error"],
    ["words about time", new Error("timeout must be below 60"), "Error"],
    ["words about connections", new Error("connect the account first"), "Error"],
    ["a reply without its driver", new Error("BUSY days are not bookable"), "Error"],
    ["a class of its own", thrownBy("SoldOutError", "no"), "SoldOutError"],
    ["a client's class that is not an error", thrownBy("MongoFailure", "no"), "MongoFailure"],
    ["a sentence for a name", thrownBy("a Timeout of my own Error", "no"), "Error"],
  ])("%s", (_, error, type) => {
    expect(classOf(error)).toEqual(adaptive(type));
  });
});

test("SQL that the model has sent is the model's to correct", () => {
  const missing = withCode("42P01");
  expect(classOf(missing, { sql: "select * from usres" })?.class).toBe("adaptive");
  expect(classOf(missing, { id: 7 })?.class).toBe("intrinsic");
  const nodes = sqlite(1, "no such table: usres");
  expect(classOf(nodes, { query: "SELECT * FROM usres" })?.class).toBe("adaptive");
  expect(classOf(nodes, { user: "with love" })?.class).toBe("intrinsic");
});
