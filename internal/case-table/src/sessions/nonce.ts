import type { CaseReply } from "./session-case.ts";
import type { SeenRequest } from "./seen.ts";

// Runs have random nonces; rows and results have this word instead.
const NONCE = "NONCE";

/** The nonce of the instructions, which come last in a request; none if the request is a native one. */
export function nonceIn({ messages }: SeenRequest): string | undefined {
  const [, nonce] = /<ai-agent-([0-9a-f]{8})-FINAL /.exec(messages.at(-1)?.text ?? "") ?? [];
  return nonce;
}

/** A reply as a model of this run writes it. */
export function withNonce(reply: CaseReply, nonce: string | undefined): CaseReply {
  if (nonce === undefined) return reply;
  return JSON.parse(JSON.stringify(reply).replaceAll(NONCE, nonce)) as CaseReply;
}

/** A request or result as a row expects it. */
export function withoutNonce<T>(seen: T): T {
  const text = JSON.stringify(seen);
  const nonces = new Set(Array.from(text.matchAll(SLOT), ([, nonce = ""]) => nonce));
  if (nonces.size === 0) return seen;
  return JSON.parse([...nonces].reduce((left, nonce) => left.replaceAll(nonce, NONCE), text)) as T;
}

const SLOT = /\b([0-9a-f]{8})-(?:\d{4}|FINAL)\b/g;
