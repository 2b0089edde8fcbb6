import { type FailureFacts, failureFacts, namesOf, readMember } from "@toolcontract/core/adapter";
import type { ErrorKind } from "../shared/index.ts";

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
 * plain objects and strings that streams deliver: 401 and 403 are `"auth"`; 402, codes such as `insufficient_quota` and
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

const QUOTA_CODES = [
  "insufficientquota",
  "insufficientquotaerror",
  "quotaexceeded",
  "billinghardlimitreached",
  "billingnotactive",
  "billingerror",
  "paymentrequired",
  "paymentrequirederror",
  "insufficientbalance",
  "insufficientcredits",
];

const QUOTA_WORDS =
  /insufficient[_ -]?(?:quota|balance|credits?|funds)|exceeded (?:your|the) (?:current |available |monthly )?quota|quota (?:has been |is )?(?:exhausted|used up)|credit balance|out of credits|billing (?:details|hard limit|limit|account)|(?:spend|spending|usage) limits?\b.{0,20}\b(?:reached|exceeded)|(?:reached (?:your|its) (?:\w+ ){0,3}(?:usage|spend|spending) limits?|used all available credits)/i;

function isQuota({ status, codes, names, text }: FailureFacts): boolean {
  if (status === 402 || hasAny(codes, QUOTA_CODES) || hasAny(names, QUOTA_CODES)) return true;
  if (status !== undefined && status >= 500) return false;
  // A limit per minute may offer to lift it by paying, and Google speaks of a quota that is free again in seconds.
  if (codes.has("ratelimitexceeded")) return false;
  if (/RESOURCE_EXHAUSTED|"retryDelay"/.test(text) || codes.has("resourceexhausted")) return false;
  return QUOTA_WORDS.test(text) || (status === 429 && /\bbilling\b/i.test(text));
}

const AUTH_CODES = [
  "authenticationerror",
  "gatewayauthenticationerror",
  "invalidapikey",
  "apikeyinvalid",
  "permissiondenied",
  "permissiondeniederror",
  "permissionerror",
  "unauthenticated",
  "unauthorized",
  "modelauthentication",
  "ailoadapikeyerror",
  "accessdeniedexception",
  "expiredtokenexception",
  "unrecognizedclientexception",
];

const AUTH_WORDS =
  /\b(?:invalid|incorrect|missing|expired)\b.{0,24}\bapi[ _-]?key|\bapi[ _-]?key\b.{0,32}\b(?:not valid|not found|invalid|missing|expired)|\bunauthori[sz]ed\b|authentication (?:failed|error|method)|(?:invalid|missing) credentials/i;

function isAuth({ status, codes, names, text }: FailureFacts): boolean {
  if (status === 401 || status === 403) return true;
  if (status !== undefined && status !== 400) return false;
  return hasAny(codes, AUTH_CODES) || hasAny(names, AUTH_CODES) || AUTH_WORDS.test(text);
}

const RATE_CODES = [
  "ratelimitexceeded",
  "ratelimiterror",
  "gatewayratelimiterror",
  "resourceexhausted",
  "throttlingexception",
  "toomanyrequests",
  "toomanyrequestsexception",
];

function isRateLimit({ status, codes, names, text }: FailureFacts): boolean {
  if (status === 429) return true;
  if (status === 413) return false;
  if (hasAny(codes, RATE_CODES) || hasAny(names, RATE_CODES)) return true;
  return status === undefined && /\brate.?limit|too many requests|\bthrottl/i.test(text);
}

const CONTEXT_CODES = [
  "contextlengthexceeded",
  "contextoverflow",
  "contextoverflowerror",
  "requesttoolarge",
];

const CONTEXT_WORDS =
  /context_length_exceeded|maximum (?:context|prompt) length|prompt is too long|input is too long|exceeds? the (?:available )?context (?:window|size|length)|context (?:window|length|size) (?:is |was )?exceeded|input tokens exceed|exceeds the maximum number of (?:input )?tokens/i;

function isContext({ status, codes, names, text }: FailureFacts): boolean {
  if (status === 413 || hasAny(codes, CONTEXT_CODES) || hasAny(names, CONTEXT_CODES)) return true;
  return CONTEXT_WORDS.test(text);
}

const TIMEOUT_STATUS: ReadonlySet<number> = new Set([408, 504, 522, 524]);

const NETWORK_CODES =
  /^(?:e(?:conn|netun|hostun|pipe|timedout|notfound|aiagain)|und(?:err|ici)|timeouterror|apiconnection|gatewaytimeout|certhasexpired|deadlineexceeded)/;

const NETWORK_WORDS =
  /fetch failed|failed to fetch|network|socket|cannot connect|connection|time[ds]? ?out|^terminated$|getaddrinfo/im;

function isNetwork({ status, codes, names, text }: FailureFacts): boolean {
  if (status !== undefined) return TIMEOUT_STATUS.has(status);
  return [...codes, ...names].some((code) => NETWORK_CODES.test(code)) || NETWORK_WORDS.test(text);
}

function hasAny(found: ReadonlySet<string>, known: readonly string[]): boolean {
  return known.some((code) => found.has(code));
}
