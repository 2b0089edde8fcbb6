import { remembered } from "../remembered.ts";

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
