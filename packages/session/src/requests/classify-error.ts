import { type FailureFacts, failureFacts, namesOf, readMember } from "@toolcontract/core/adapter";
import type { ErrorKind } from "../shared/index.ts";
import { CODES, WORDS } from "./error-words.ts";

const KINDS: ReadonlySet<unknown> = new Set<ErrorKind>([
  "auth",
  "quota",
  "rate_limit",
  "network",
  "timeout",
  "model",
  "context",
  "empty",
  "cut",
  "aborted",
]);

/** Whether a value is the name of a kind; classifiers of applications may return anything. */
export function isErrorKind(value: unknown): value is ErrorKind {
  return KINDS.has(value);
}

/**
 * Says what went wrong with a request to a model (AI Agent Contract, section 3). Never throws.
 *
 * It promises to read the errors of the AI SDK, LangChain, OpenAI, Anthropic, Google and AWS, wrapped or not, and the
 * plain objects and strings that streams deliver: a prompt that is too long is `"context"` with any status; 401 and 403 are
 * `"auth"`, but for a prompt that was moderated (`"model"`) and the page of a firewall (`"network"`); 402, codes such as `insufficient_quota` and
 * billing messages are `"quota"`, also as a 429; any other 429 is a `"rate_limit"`. What it does not know is `"model"`,
 * and retried.
 */
export function classifyError(error: unknown): ErrorKind {
  const own = ownKind(error);
  if (own !== undefined) return own;
  if (isAbort(error)) return "aborted";
  const facts = failureFacts(error);
  return RULES.find(([, fits]) => fits(facts))?.[0] ?? "model";
}

/** The rules, the first that fits decides. */
const RULES: readonly (readonly [ErrorKind, (facts: FailureFacts) => boolean])[] = [
  ["quota", isQuota],
  ["context", isOverflow],
  ["model", isModeration],
  ["network", isBlockPage],
  ["auth", isAuth],
  ["rate_limit", isRateLimit],
  ["context", isContext],
  ["network", isNetwork],
];

/** The kind that an error of this package carries, also one from another copy of it. */
function ownKind(error: unknown): ErrorKind | undefined {
  const name = readMember(error, "name");
  if (name !== "ProviderError" && name !== "TurnFailed") return undefined;
  const kind = readMember(error, "kind");
  return isErrorKind(kind) ? kind : undefined;
}

const ABORTS = ["aborterror", "apiuseraborterror", "modelaborterror", "responseaborted"];

// Only the error itself: a lost connection may have an abort as its cause.
function isAbort(error: unknown): boolean {
  if (namesOf(error).some((name) => ABORTS.includes(name))) return true;
  // The message of both SDKs, whose classes minifiers rename.
  return readMember(error, "message") === "Request was aborted.";
}

function isQuota({ status, codes, names, text }: FailureFacts): boolean {
  if (status === 402 || hasAny(codes, CODES.quota) || hasAny(names, CODES.quota)) return true;
  if (status !== undefined && status >= 500) return false;
  // A limit per minute may offer to lift it by paying, and Google speaks of a quota that is free again in seconds.
  if (codes.has("ratelimitexceeded")) return false;
  if (/RESOURCE_EXHAUSTED|"retryDelay"/.test(text) || codes.has("resourceexhausted")) return false;
  return WORDS.quota.test(text) || (status === 429 && /\bbilling\b/i.test(text));
}

function isAuth({ status, codes, names, text }: FailureFacts): boolean {
  if (status === 401 || status === 403) return true;
  if (status !== undefined && status !== 400) return false;
  return hasAny(codes, CODES.auth) || hasAny(names, CODES.auth) || WORDS.auth.test(text);
}

function isRateLimit({ status, codes, names, text }: FailureFacts): boolean {
  if (status === 429) return true;
  if (status === 413) return false;
  if (hasAny(codes, CODES.rateLimit) || hasAny(names, CODES.rateLimit)) return true;
  return status === undefined && WORDS.rateLimit.test(text);
}

/** A prompt that is too long is said with any status: 400, 401, 429. */
function isOverflow({ codes, names, text }: FailureFacts): boolean {
  return hasAny(codes, CODES.context) || hasAny(names, CODES.context) || WORDS.context.test(text);
}

/** A 403 for the prompt, and not for the key. */
function isModeration({ status, codes, text }: FailureFacts): boolean {
  if (status !== 403 || hasAny(codes, CODES.auth)) return false;
  return hasAny(codes, CODES.moderation) || WORDS.moderation.test(text);
}

function isBlockPage({ status, codes, text }: FailureFacts): boolean {
  return status === 403 && !hasAny(codes, CODES.auth) && WORDS.blockPage.test(text);
}

function isContext({ status }: FailureFacts): boolean {
  return status === 413;
}

const TIMEOUT_STATUS: ReadonlySet<number> = new Set([408, 504, 522, 524]);

const NETWORK_CODES =
  /^(?:e(?:conn|netun|hostun|pipe|timedout|notfound|aiagain)|und(?:err|ici)|timeouterror|apiconnection|gatewaytimeout|certhasexpired|deadlineexceeded)/;

function isNetwork({ status, codes, names, text }: FailureFacts): boolean {
  if (status !== undefined) return TIMEOUT_STATUS.has(status);
  return [...codes, ...names].some((code) => NETWORK_CODES.test(code)) || WORDS.network.test(text);
}

function hasAny(found: ReadonlySet<string>, known: readonly string[]): boolean {
  return known.some((code) => found.has(code));
}
