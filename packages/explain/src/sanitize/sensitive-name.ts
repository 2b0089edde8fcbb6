import { type PathSegment, remembered } from "../shared/index.ts";

/** Names of secrets, as words joined by hyphens; spellings without separators ("accesstoken") are in GLUED. */
const SECRET_NAMES: readonly string[] = [
  "pass-?words?|passwd|pwds?|pws?|pass-?phrases?|pass-?codes?",
  "(?:db|user|smtp|mail|redis|admin|root|ftp|my-?sql|sudo)-?pass",
  "secrets?|credentials?|creds?",
  "authorization|cookies?|set-?cookies?",
  "jwts?|bearer",
  "(?:api|app|access|secret|private|encryption|signing|master|account|shared|service|auth|session|client|license|ssh|hmac|deploy|webhook|subscription|priv)-?keys?",
  // keys of providers that are known by their name
  "(?:open-?ai|anthropic|claude|gemini|mistral|cohere|groq|deep-?seek|open-?router|hugging-?face|replicate|stripe|twilio|send-?grid|mailgun|resend|git-?hub|git-?lab|slack|aws|azure|gcp|cloudflare|supabase|firebase|datadog|sentry|algolia|paypal|square|plaid|shopify)-keys?",
  "psks?|pre-?shared-keys?|gitlab-session",
  "(?:api|access|refresh|auth|bearer|session|id|security|personal|service|bot|deploy)-?tokens",
  "session-?ids?|sess-?ids?|php-?sess-?id|jsession-?id",
  "(?:auth|authorization|verification|security|recovery|backup|mfa|2-?fa|two-?factor|otp|pin)-?codes?",
  "t?otps?|cvvs?|cvcs?|card-?numbers?|ssns?|social-?security-?(?:numbers?|no)|(?:card|user|atm|sim|security|account|wallet)-?pins?",
  "mnemonics?|(?:seed|recovery)-?phrases?",
  "connection-?strings?|account-?sas|shared-?access-?signature",
];

/** Words for a secret in other European languages, without accents. */
const FOREIGN_NAMES: readonly string[] = [
  "passwort|kenn-?wort|geheimzahl|geheimnis|zugangs-?(?:daten|code)|anmelde-?daten|kartennummer", // German
  "wachtwoord|wachtzin|toegangs-?code|inlog-?gegevens|pin-?code|kaartnummer", // Dutch
  "mots?-de-passe|mdp|phrase-secrete|code-secret|numero-(?:de-)?carte", // French
  "contrasen(?:y|i)?as?|credenciales|secretos?|numero-(?:de-)?tarjeta", // Spanish, Catalan
  "credenziali|segreto|numero-(?:di-|della-)?carta", // Italian
  "senhas?|palavra-passe|credenciais|segredo|numero-d[eo]-cartao", // Portuguese
  "has[lł][oa]|heslo|sekret|numer-karty|jelszo", // Polish, Czech, Slovak, Hungarian
  "losenord|adgangskode|kodeord|passord|hemlighet|hemmelighe[dt]|kortnummer|salasana", // the North
  "sifre|κωδικος|συνθηματικο|пароль|секрет", // Turkish, Greek, Russian
];

/** Names that must come last, because a word after them changes the meaning. */
const LAST_NAMES = "pin|sid|(?:[a-z0-9]+-)*(?:token|passe?|auth|jeton)";

/** Compounds that are recognised without separators, even inside a longer word. */
const GLUED =
  /(?:password|passwd|passphrase|apikey|accesskey|secretkey|privatekey|accesstoken|refreshtoken|authtoken|bearertoken|bottoken|githubtoken|clientsecret|credentials?|authorization|setcookie|passwort|kennwort|motdepasse|contrasena|wachtwoord|losenord)s?\d*$/;

/** A word for a key (`clave`, `klucz`), which means a secret only together with what it opens. */
const FOREIGN_KEY =
  /(?:(?:api|geheim|geheimer|geheime|private?r?|prive|zugangs|toegangs|hemlig|hemmelig)(?:schlue?ssel|sleutel|nyckel|n[oø]gle|n[oø]kkel)|(?:clef?|clave|chiave|chave|klucz|klic)(?:de|di|do|d)?(?:api|privee|privada|privata|prywatny|secrete|secreta|segreta|tajny|acces|acceso|accesso|acesso|dostepu))$/;

/** First or last words that make it a name about a secret, such as its policy, length or expiry. */
const ABOUT =
  /^-(?:max|min|total|num|number)-|-(?:count|counts|length|limit|limits|type|types|name|names|policy|policies|size|expiry|expires|expiration|ttl|url|uri|endpoint|enabled|disabled|required|min|max|minimum|maximum|budget|usage|used|at|in|index|hint|strength|field|fields|label|format|version|scope|scopes|method|path|file|mode|status|prefix|needed)-$/;

/** Other tokens, as in pagination, parsers and language models, and passes that are not passwords. */
const OTHER_TOKENS =
  /-(?:page|next|previous|prev|continuation|continue|cursor|pagination|sync|resume|start|end|stop|begin|first|last|eos|bos|pad|unk|mask|sep|cls|special|per|max|min|new|cancellation|idempotency|boarding|by|single|two|multi)-(?:page-)?(?:token|pass)-$/;

const IS_SECRET = new RegExp(
  `-(?:${[...SECRET_NAMES, ...FOREIGN_NAMES].join("|")})-|^-(?:${LAST_NAMES})(?:-\\d+)?-$`,
);

/** The fields that hold a pair's name, in both spellings, and those that hold its value. */
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
].flatMap((field) => [field, field.charAt(0).toUpperCase() + field.slice(1)]);
const VALUE_FIELDS: readonly string[] = ["value", "val", "values", "content", "text", "default"];

/** Labels of form fields, for example "Password field". */
const PASSWORD_LABEL = /\bpass(?:word|code|phrase)\b/i;

/**
 * Whether a field of this name holds a secret.
 *
 * @remarks `max_tokens` and the like count text, and `page_token` and the like are cursors: neither is a secret.
 */
export const isSensitiveName: (name: string) => boolean = remembered((name) => {
  const words = toWords(name);
  if (ABOUT.test(words) || OTHER_TOKENS.test(words)) return false;
  const glued = words.replaceAll("-", "");
  return IS_SECRET.test(words) || GLUED.test(glued) || FOREIGN_KEY.test(glued);
});

/** Splits a name at separators, case changes and digits: `X-APIKey2` becomes `-x-api-key-2-`. Accents are left out. */
function toWords(name: string): string {
  const words = name
    .slice(0, 256)
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1-$2")
    .replace(/(\p{L})(\d)/gu, "$1-$2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  return `-${words.join("-")}-`;
}

/** What models write for a field that they leave empty. */
const NOTHING = /^(?:|none|null|nil|undefined)$/i;

/** Whether a value cannot be a secret, whatever its name. */
export function isHarmless(value: unknown): boolean {
  if (typeof value === "string") return NOTHING.test(value);
  return value === null || value === undefined || typeof value === "boolean";
}

/** Whether a child is a secret by its name, or as the value of a pair such as `{name: "Authorization", value}`. */
export function isHiddenChild(parent: unknown, key: string, value: unknown): boolean {
  if (isHarmless(value)) return false;
  if (Array.isArray(parent)) {
    return (
      (key === "1" && isSecretPair(parent, value)) || isFlagValue(parent[Number(key) - 1], value)
    );
  }
  if (isSensitiveName(key)) return true;
  if (!VALUE_FIELDS.includes(key.toLowerCase()) || typeof parent !== "object" || parent === null)
    return false;
  const fields = parent as Readonly<Record<string, unknown>>;
  return NAME_FIELDS.some((field) => isSecretLabel(fields[field]));
}

/** Whether a path leads through a secret's name; if the root is given, pairs count too. */
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

/** `["login", "--password", "..."]`: a flag and its value, in the arguments of a program. */
function isFlagValue(flag: unknown, value: unknown): boolean {
  if (typeof flag !== "string" || (typeof value === "string" && value.startsWith("-")))
    return false;
  return /^--?[A-Za-z][\w-]{1,63}$/.test(flag) && isSensitiveName(flag);
}

function isSecretLabel(name: unknown): boolean {
  return typeof name === "string" && (isSensitiveName(name) || PASSWORD_LABEL.test(name));
}
