import { fingerprint, isRecord, type Message, metaOf, traceIdOf } from "../wire/index.ts";
import type { SdkTransport } from "./sdk-server.ts";
import type { LinkKeys } from "./transport-links.ts";

/** Names the conversation of a message; `extra` is what the transport delivered with it. */
export type AttemptKeyOf = (message: Message, extra: unknown) => string;

/** The keys of a server's transport; `given` is the user's own for conversations. */
export function linkKeys(transport: SdkTransport, given: AttemptKeyOf | undefined): LinkKeys {
  const keyOf = (extra: unknown): string =>
    transport.sessionId === undefined ? clientKey(extra) : sessionOf(transport.sessionId);
  return {
    attemptKeyOf(message, extra) {
      const key = givenKey(given, message, extra);
      if (key !== undefined) return key;
      return transport.sessionId === undefined
        ? keyInTrace(clientKey(extra), message)
        : keyOf(extra);
    },
    callerOf: (message, extra) => givenKey(given, message, extra) ?? keyOf(extra),
    // Each session may have its own server, with its own tools.
    listKeyOf: keyOf,
  };
}

/** One trace is one run of an agent. */
export function keyInTrace(key: string, message: Message): string {
  return `${key} ${traceIdOf(metaOf(message)?.["traceparent"]) ?? ""}`.trim();
}

/** The user's key; undefined if their function throws or returns none. */
function givenKey(
  keyOf: AttemptKeyOf | undefined,
  message: Message,
  extra: unknown,
): string | undefined {
  try {
    const key: unknown = keyOf?.(message, extra);
    return typeof key === "string" && key !== "" ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Identifies a client by a hash of its credentials; empty if it has none. */
function clientKey(extra: unknown): string {
  const credentials = credentialsOf(extra);
  return credentials === undefined ? "" : `client-${fingerprint(credentials)}`;
}

/** Identifies a session by a hash, because anyone who has its id can join it. */
function sessionOf(sessionId: string): string {
  return `session-${fingerprint(sessionId)}`;
}

function credentialsOf(extra: unknown): string | undefined {
  if (!isRecord(extra)) return undefined;
  const { authInfo, requestInfo, request } = extra;
  const token = isRecord(authInfo) ? authInfo["token"] : undefined;
  return typeof token === "string"
    ? token
    : (authorizationOf(requestInfo) ?? authorizationOf(request));
}

/** Version 1 of the SDK passes headers as an object, version 2 passes the request itself. */
function authorizationOf(request: unknown): string | undefined {
  const headers = isRecord(request) ? request["headers"] : undefined;
  if (headers instanceof Headers) return headers.get("authorization") ?? undefined;
  const header = isRecord(headers) ? headers["authorization"] : undefined;
  return typeof header === "string" ? header : undefined;
}
