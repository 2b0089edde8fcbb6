import { firstOf, isAnyObject, isArray, readMember } from "@toolcontract/core/adapter";
import { hasSqlInArguments } from "./argument-paths.ts";
import type { NamedClass } from "./by-code.ts";
import { ADAPTIVE, EXTRINSIC, INTRINSIC } from "./by-status.ts";
import { isTypeName } from "./outcome.ts";
import { readString } from "./read.ts";
import { SERVICE_ROWS, SQL, type Source } from "./service-rows.ts";

/** Where clients put an error that they wrap, besides its cause. */
const WRAPPED = ["driverError", "parent", "original", "originalError"] as const;

/** What a service said of its failure: a row of the table that fits. */
export function byService(causes: readonly unknown[], args: unknown): NamedClass | undefined {
  const errors = causes.flatMap((cause) => [
    cause,
    ...WRAPPED.map((member) => readMember(cause, member)).filter(isAnyObject),
  ]);
  return firstOf(errors, (error) => byRow(error, args));
}

function byRow(error: unknown, args: unknown): NamedClass | undefined {
  if (!isAnyObject(error)) return undefined;
  const retriable = retriableName(error);
  if (retriable !== undefined) return { ...EXTRINSIC, error_type: retriable };
  const said = new Map<Source, readonly string[]>();
  for (const [source, pattern, treatment] of SERVICE_ROWS) {
    const texts = said.get(source) ?? READERS[source](error);
    said.set(source, texts);
    const text = texts.find((one) => pattern.test(one));
    if (text === undefined) continue;
    const is = treatment === SQL ? (hasSqlInArguments(args) ? ADAPTIVE : INTRINSIC) : treatment;
    return { ...is, error_type: failureType(source, text) };
  }
  return undefined;
}

/** The name of an error that says itself that the same request may be made again, or that the server is to blame. */
function retriableName(error: object): string | undefined {
  const name = readString(error, "name");
  const isMarked =
    isAnyObject(readMember(error, "$retryable")) || readMember(error, "$fault") === "server";
  return isMarked && isTypeName(name) ? name : undefined;
}

const SQLITE_NAMES: Readonly<Record<number, string>> = {
  1: "ERROR",
  5: "BUSY",
  6: "LOCKED",
  7: "NOMEM",
  8: "READONLY",
  9: "INTERRUPT",
  10: "IOERR",
  11: "CORRUPT",
  13: "FULL",
  14: "CANTOPEN",
  15: "PROTOCOL",
  18: "TOOBIG",
  19: "CONSTRAINT",
  20: "MISMATCH",
  21: "MISUSE",
  23: "AUTH",
  25: "RANGE",
  26: "NOTADB",
};

const CODE_MEMBERS = ["code", "errorCode", "type", "reason", "Code", "__type"] as const;
const REDIS_ERRORS = /^(?:ReplyError|ErrorReply|SimpleError|BlobError|RedisError)$/;

/** Reads what an error says, from wherever clients put it. */
const READERS: Readonly<Record<Source, (error: object) => readonly string[]>> = {
  sqlstate: (error) =>
    memberTexts(error, ["code", "sqlState", "sqlstate"]).filter((code) =>
      /^[0-9A-Z]{5}$/.test(code),
    ),
  sqlite(error) {
    // Extended codes have the primary one in their last byte.
    const number = readMember(error, "errcode");
    const name = typeof number === "number" ? SQLITE_NAMES[number % 256] : undefined;
    if (name !== undefined) return [name];
    return memberTexts(error, ["code"]).flatMap((code) => /^SQLITE_([A-Z]+)/.exec(code)?.[1] ?? []);
  },
  mongo: (error) =>
    /^Mongo(?:Server|BulkWrite|WriteConcern)Error$/.test(readString(error, "name") ?? "")
      ? numberTexts(error, "code")
      : [],
  mssql: (error) => numberTexts(error, "number"),
  redis: (error) =>
    REDIS_ERRORS.test(readString(error, "name") ?? "")
      ? memberTexts(error, ["message"]).map((message) => message.split(" ", 1)[0] ?? "")
      : [],
  smtp: (error) => numberTexts(error, "responseCode"),
  code: (error) => [
    ...memberTexts(error, CODE_MEMBERS),
    ...oauthIn(readMember(error, "response")),
    ...reasonsIn(readMember(error, "errors")),
    ...memberTexts(error, ["message"]).flatMap((text) => /^(?:ORA|NJS)-\d+/.exec(text)?.[0] ?? []),
  ],
  name: (error) => memberTexts(error, ["name", "Code", "__type", "code"]),
  message: (error) => memberTexts(error, ["message"]),
};

/** What a server of tokens answers. */
function oauthIn(response: unknown): readonly string[] {
  return memberTexts(readMember(response, "data") ?? readMember(response, "body"), ["error"]);
}

/** The reasons that Google publishes. */
function reasonsIn(errors: unknown): readonly string[] {
  return isArray(errors) ? errors.slice(0, 8).flatMap((one) => memberTexts(one, ["reason"])) : [];
}

function memberTexts(error: unknown, members: readonly string[]): readonly string[] {
  return members.flatMap((member) => readString(error, member)?.slice(0, 256) ?? []);
}

function numberTexts(error: object, member: string): readonly string[] {
  const found = readMember(error, member);
  return typeof found === "number" ? [String(found)] : [];
}

function failureType(source: Source, text: string): string {
  switch (source) {
    case "sqlstate":
    case "mongo":
    case "mssql":
    case "redis":
    case "smtp":
      return `${source}_${text}`;
    case "sqlite":
      return `SQLITE_${text}`;
    case "message":
      if (/rate limit/i.test(text)) return "rate_limited";
      return /time/i.test(text) ? "timeout" : "connection_lost";
    case "code":
    case "name":
      return isTypeName(text) ? text : "service_failed";
  }
}

/** Clients of services, whose errors are hardly ever about one request. */
const CLIENTS =
  /^(?:Cluster(?=AllFailed)|Mongo|Mongoose|Prisma|Sequelize|KafkaJS|Knex|Redis|Neo4j|Postgres|Pg|MySQL|Maria|Oracle|Couch|Cassandra|Elastic|Opensearch|Amqp|Nats|Libsql|Supabase)[A-Z]/;
/** What only the world does. */
const WORLD =
  /(?:Connection|Network|Socket|Timeout|TimedOut|Unavailable|Unreachable|RateLimit|Throttl|TooManyRequests|Overload|Deadlock|Transient|Disconnect|ServerSelection|NoHost|Broker|ClientClosed|ClientOffline|ReconnectStrategy|Retries)\w*$/;

/** A name that no row knows: what a client of a service throws is rarely the model's to correct. */
export function byClientName(error: unknown): NamedClass | undefined {
  const name = readString(error, "name") ?? "";
  const isKnown = isTypeName(name) && /(?:Error|Exception|Exceeded)$/.test(name);
  return isKnown && (CLIENTS.test(name) || WORLD.test(name))
    ? { ...EXTRINSIC, error_type: name }
    : undefined;
}
