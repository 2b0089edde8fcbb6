import { type PathSegment, remembered } from "../shared/index.ts";

/** Names of secrets, as words joined by hyphens; glued spellings ("accesstoken") match as well. */
const SECRET_NAMES: readonly string[] = [
  "pass-?words?|passwd|passwort|pwds?|pass-?phrases?|pass-?codes?",
  "(?:db|user|smtp|mail|redis|admin|root|ftp|my-?sql|sudo)-?pass",
  "secrets?|credentials?|creds?",
  "authorization|cookies?|set-?cookies?",
  "jwts?|bearer",
  "(?:api|app|access|secret|private|encryption|signing|master|account|shared|service|auth|session|client|license|ssh|hmac|deploy|webhook|subscription)-?keys?",
  "(?:api|access|refresh|auth|bearer|session|id|security|personal|service|bot|deploy)-?tokens",
  "session-?ids?|sess-?ids?|php-?sess-?id|jsession-?id",
  "(?:auth|authorization|verification|security|recovery|backup|mfa|2fa|otp|pin)-?codes?",
  "t?otps?|cvvs?|cvcs?|card-?numbers?|ssns?|(?:card|user|atm|sim|security|account|wallet)-?pins?",
  "mnemonics?|(?:seed|recovery)-?phrases?",
  "connection-?strings?|account-?sas|shared-?access-?signature",
];

/** Names that must stand last, because other words after them make them something else. */
const LAST_NAMES = "pin|sid|(?:[a-z0-9]+-)*(?:token|pass|auth)";

/** Compounds that are recognised even inside a longer word without any separator. */
const GLUED =
  /(?:password|passwd|passphrase|apikey|accesskey|secretkey|privatekey|accesstoken|refreshtoken|authtoken|bearertoken|bottoken|githubtoken|clientsecret|credentials?|authorization|setcookie)s?\d*$/;

/** A first or last word that makes the name one about a secret: its policy, length or expiry, not itself. */
const ABOUT =
  /^-(?:max|min|total|num|number)-|-(?:count|counts|length|limit|limits|type|types|name|names|policy|policies|size|expiry|expires|expiration|ttl|url|uri|endpoint|enabled|disabled|required|min|max|minimum|maximum|budget|usage|used|at|in|index|hint|strength|field|fields|label|format|version|scope|scopes|method|path|file|mode|status|prefix|needed)-$/;

/** Tokens of other trades: pagination, parsers, language models; and passes that are no passwords. */
const OTHER_TOKENS =
  /-(?:page|next|previous|prev|continuation|continue|cursor|pagination|sync|resume|start|end|stop|begin|first|last|eos|bos|pad|unk|mask|sep|cls|special|per|max|min|new|cancellation|idempotency|boarding|by|single|two|multi)-(?:page-)?(?:token|pass)-$/;

const IS_SECRET = new RegExp(`-(?:${SECRET_NAMES.join("|")})-|^-(?:${LAST_NAMES})(?:-\\d+)?-$`);

/** Splits a name at separators, case changes and digits: `X-APIKey2` gives `-x-api-key-2-`. */
function toWords(name: string): string {
  const words = name
    .slice(0, 256)
    .normalize("NFKC")
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1-$2")
    .replace(/(\p{L})(\d)/gu, "$1-$2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  return `-${words.join("-")}-`;
}

/**
 * Tells whether a field of this name holds a secret.
 *
 * @remarks Plural `tokens` counts text (`max_tokens`) and is none; `page_token` and its kin are cursors.
 */
export const isSensitiveName: (name: string) => boolean = remembered((name) => {
  const words = toWords(name);
  if (ABOUT.test(words) || OTHER_TOKENS.test(words)) return false;
  return IS_SECRET.test(words) || GLUED.test(words.replaceAll("-", ""));
});

/** The fields in which a pair keeps its name, and those in which it keeps its value. */
const NAME_FIELDS: readonly string[] = [
  "name",
  "key",
  "field",
  "header",
  "parameter",
  "variable",
  "label",
  "selector",
  "element",
];
const VALUE_FIELDS: readonly string[] = ["value", "val", "values", "content", "text", "default"];

/** How a page's fields are described in words, for example "Password field". */
const PASSWORD_LABEL = /\bpass(?:word|code|phrase)\b/i;

/** Tells whether a value says nothing, whatever its name: nothing is hidden by hiding it. */
export function isHarmless(value: unknown): boolean {
  return value === null || value === undefined || value === "" || typeof value === "boolean";
}

/** Tells whether a child is a secret by its own name, or as the value of a pair like `{name: "Authorization", value}`. */
export function isHiddenChild(parent: unknown, key: string, value: unknown): boolean {
  if (isHarmless(value)) return false;
  if (Array.isArray(parent)) return key === "1" && isSecretPair(parent, value);
  if (isSensitiveName(key)) return true;
  if (!VALUE_FIELDS.includes(key.toLowerCase()) || typeof parent !== "object" || parent === null)
    return false;
  return NAME_FIELDS.some((field) => {
    const capitalised = field.charAt(0).toUpperCase() + field.slice(1);
    return (
      isSecretLabel(Reflect.get(parent, field)) || isSecretLabel(Reflect.get(parent, capitalised))
    );
  });
}

/** Tells whether a secret's name stands anywhere on the way to a value; with the root, pairs count too. */
export function isHiddenPath(path: readonly PathSegment[], root: unknown): boolean {
  let parent = root;
  for (const segment of path) {
    const key = String(segment);
    if (typeof segment === "string" && isSensitiveName(segment)) return true;
    const child: unknown =
      typeof parent === "object" && parent !== null ? Reflect.get(parent, key) : undefined;
    if (isHiddenChild(parent, key, child)) return true;
    parent = child;
  }
  return false;
}

/** `["Authorization", "Bearer ..."]` is a pair; `["password", "email"]` is a list of names. */
function isSecretPair(parent: readonly unknown[], value: unknown): boolean {
  const isNameLike = typeof value === "string" && /^[a-z_]+$/i.test(value);
  return parent.length === 2 && !isNameLike && isSecretLabel(parent[0]);
}

function isSecretLabel(name: unknown): boolean {
  return typeof name === "string" && (isSensitiveName(name) || PASSWORD_LABEL.test(name));
}
