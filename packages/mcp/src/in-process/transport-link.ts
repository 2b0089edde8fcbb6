import type { Link, Message } from "../gate/link.ts";
import type { ClientIdentity } from "./client-identity.ts";
import { traceOf } from "./client-identity.ts";
import type { SdkTransport } from "./sdk-server.ts";

/** Names the conversation of a message that came with the given extra information. */
export type AttemptKeyOf = (message: Message, extra: unknown) => string;

/** What a transport's link is made of. */
export interface TransportLinkParts {
  readonly transport: SdkTransport;
  readonly identity: ClientIdentity;
  readonly attemptKeyOf: AttemptKeyOf | undefined;
  readonly listTools: Link["listTools"];
}

/** The link of a transport, named by its first message: by then a session has its id and a client its credentials. */
export function linkOf(message: Message, extra: unknown, parts: TransportLinkParts): Link {
  const { transport, identity, attemptKeyOf, listTools } = parts;
  const listKey = identity.nameOf(extra);
  const guessed = transport.sessionId ?? `${listKey} ${traceOf(message)}`.trim();
  return { attemptKey: named(attemptKeyOf, message, extra) ?? guessed, listKey, listTools };
}

/** A host's function that throws or has nothing to say names nothing. */
function named(
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
