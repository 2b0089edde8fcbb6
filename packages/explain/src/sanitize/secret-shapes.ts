/** A kind of token that is recognised by its prefix. */
interface TokenPrefix {
  /** Pattern source of the prefix. */
  readonly prefix: string;
  /** Character class of the rest; `[\w-]` by default. */
  readonly body?: string;
  /** The minimum number of such characters; 16 by default. */
  readonly min?: number;
  /** The minimum at the end of a string, where a token may be cut off; 6 by default. */
  readonly head?: number;
}

const ALPHANUMERIC = "[A-Za-z0-9]";
const HEX = "[A-Fa-f0-9]";
const DOTTED = "[\\w.-]";
const BASE64 = "[\\w+/=-]";

/** The tokens with a known prefix, one row each. */
const TOKEN_PREFIXES: readonly TokenPrefix[] = [
  // OpenAI key
  { prefix: "sk-(?:proj|svcacct|admin|None)-", min: 8 },
  // Anthropic key
  { prefix: "sk-ant-", min: 8 },
  // OpenRouter, Langfuse key
  { prefix: "sk-(?:or-v1|lf)-", min: 8 },
  // key of the sk- family
  {
    prefix: "sk-(?=[\\w-]{0,60}\\d)(?:[a-z0-9]{1,12}-){0,3}",
    body: "\\w",
    head: 12,
  },
  // key of the sk_ family
  { prefix: "sk_", body: "[a-f0-9]", min: 40 },
  // Google API key
  { prefix: "AIza" },
  // Google access token
  { prefix: "ya29\\.", body: DOTTED },
  // Google refresh token
  { prefix: "1//0" },
  // Google client secret
  { prefix: "GOCSPX-", min: 10 },
  // AWS key id
  { prefix: "(?:AKIA|(?:ASIA|ABIA|ACCA)(?=[A-Z]{0,15}\\d))", body: "[A-Z0-9]" },
  // AWS session token
  { prefix: "(?:FwoGZXIvYXdzE|IQoJb3JpZ2lu)", body: BASE64 },
  // AWS Bedrock key
  { prefix: "(?:ABSK|bedrock-api-key-)", body: BASE64, min: 40, head: 24 },
  // GitHub token
  { prefix: "gh[oprsu]_", body: "\\w" },
  // GitHub fine-grained token
  { prefix: "github_pat_", body: "\\w" },
  // GitLab token
  {
    prefix: "(?:gl(?:pat|dt|rtr?|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-|GR1348941)",
    body: DOTTED,
  },
  // Slack token
  { prefix: "xox[a-z](?:\\.xox[a-z])?-", min: 8 },
  // Slack app token
  { prefix: "(?:xapp-\\d-|xwfp-)", min: 8 },
  // Stripe key
  { prefix: "(?:[prs]k|shippo|duffel)_(?:live|test)_", body: "\\w", min: 10 },
  // Stripe webhook secret
  { prefix: "whsec_", body: BASE64 },
  // Twilio key or account
  { prefix: "(?:SK|AC)", body: "[a-f0-9]", min: 32, head: 20 },
  // SendGrid key
  {
    prefix: "SG\\.(?=[\\w-]{0,20}[0-9A-Z])[\\w-]{16,32}",
    body: DOTTED,
    min: 1,
  },
  // Mailgun key
  { prefix: "(?:key|pubkey)-", body: "[a-f0-9]", min: 32, head: 20 },
  // Brevo key
  { prefix: "xkeysib-" },
  // Resend key
  { prefix: "re_(?=\\w{0,30}\\d)[A-Za-z0-9]{6,12}_", body: ALPHANUMERIC },
  // npm token
  { prefix: "npm_", body: ALPHANUMERIC, min: 20, head: 10 },
  // PyPI token
  { prefix: "pypi-" },
  // RubyGems key
  { prefix: "rubygems_", body: HEX },
  // Docker token
  { prefix: "dckr_(?:pat|oat)_" },
  // Hugging Face token
  { prefix: "(?:hf|api_org)_", body: ALPHANUMERIC, min: 20, head: 10 },
  // Groq, xAI, Replicate key
  {
    prefix: "(?:gsk_|xai-|r8_)",
    body: ALPHANUMERIC,
    min: 20,
    head: 10,
  },
  // NVIDIA key
  { prefix: "nvapi-" },
  // Perplexity, Tavily, Pinecone key
  { prefix: "(?:pplx-|tvly-|pcsk_)" },
  // LangSmith key
  { prefix: "lsv2_(?:pt|sk)_", body: "\\w" },
  // DigitalOcean token
  { prefix: "do[opr]_v1_", body: HEX },
  // Shopify token
  { prefix: "shp[a-z]{2}_", body: HEX },
  // Square token
  { prefix: "sq0[a-z]{3}-" },
  // Square or Facebook access token
  { prefix: "EAA[A-Z]", min: 40, head: 30 },
  // Telegram bot token
  { prefix: "\\d{6,12}:AA", min: 20 },
  // Discord bot token
  { prefix: "[MNO][\\w-]{22,27}\\.[\\w-]{6}\\." },
  // HashiCorp Vault token
  { prefix: "hv[bsr]\\.", body: DOTTED },
  // Terraform Cloud token
  { prefix: "[A-Za-z0-9]{14}\\.atlasv1\\.", body: DOTTED },
  // Databricks token
  { prefix: "(?:dapi|dkea)", body: "[a-f0-9-]", min: 32, head: 12 },
  // Linear key
  { prefix: "lin_(?:api|oauth|wh)_", body: "\\w" },
  // Notion token
  { prefix: "ntn_", body: ALPHANUMERIC },
  // Notion token, older
  { prefix: "secret_", body: ALPHANUMERIC, min: 32, head: 24 },
  // Airtable token
  { prefix: "pat[A-Za-z0-9]{14}\\.", body: HEX },
  // HubSpot token
  { prefix: "pat-[a-z]{2}\\d-" },
  // Figma token
  { prefix: "fig[dor][a-z]{0,2}_" },
  // Atlassian token
  { prefix: "AT(?:ATT3|CTT3|BB)", body: BASE64, head: 12 },
  // Postman key
  { prefix: "PMAK-" },
  // New Relic key
  { prefix: "NR(?:AK|II|JS|RA|BR|SP)-", body: "[A-Za-z0-9-]" },
  // Grafana token
  { prefix: "gl(?:sa|c)_", body: BASE64 },
  // Sentry token
  { prefix: "sntry[su]_", body: BASE64 },
  // Dynatrace token
  { prefix: "dt0[a-z]\\d{2}\\.", body: DOTTED },
  // Doppler token
  { prefix: "dp\\.(?:pt|st|ct|sa|scim|audit)\\.", body: DOTTED },
  // Supabase key
  { prefix: "(?:sbp|sb_secret)_" },
  // PlanetScale secret
  { prefix: "pscale_(?:tkn|pw|oauth)_", body: DOTTED },
  // Netlify, CircleCI, Buildkite token
  { prefix: "(?:nfp|CCIPAT|bkua)_" },
  // Fly.io token
  { prefix: "fm[12][a-z]?_", body: BASE64 },
  // 1Password service token
  { prefix: "ops_eyJ", body: BASE64 },
  // age secret key
  { prefix: "AGE-SECRET-KEY-", body: "[A-Z0-9]" },
  // JSON web token
  { prefix: "eyJ[\\w-]{8,}\\.", body: DOTTED, min: 4 },
  // head of a JSON web token
  { prefix: "eyJ(?:hbGci|0eXAi|raWQi|jdHki)" },
  // Azure AD client secret
  {
    prefix: "[\\w~.-]{3}\\dQ~",
    body: "[\\w~.-]",
    min: 24,
    head: 12,
  },
];

/** A secret recognised by its context: the first group, which ends the match, is the secret. */
export interface SecretShape {
  /** The length of the shortest string that it matches in; shorter strings, which are most, are not searched. */
  readonly shortest: number;
  /** A part of every match, given if it is faster to search for than the pattern. */
  readonly part?: string;
  readonly pattern: RegExp;
  /** Whether a match is a secret; all are by default. */
  readonly isSecret?: (match: string) => boolean;
}

/** A token begins after anything but a letter or digit, or after an escaped character. */
const BOUNDARY = "(?:(?<![A-Za-z0-9])|(?<=\\\\[nrtbf]|%[0-9A-Fa-f]{2}|\\\\u[0-9A-Fa-f]{4}))";

/** The end of the string, perhaps after closing punctuation or an ellipsis: what precedes it may be cut off. */
const END = "(?=[\\s.…\"'\\\\\\]}]{0,8}$)";

function toSource({ prefix, body = "[\\w-]", min = 16, head = 6 }: TokenPrefix): string {
  const cutOff = `(?=${body}{0,40}?[0-9A-Z])${body}{${head},}${END}`;
  return `${prefix}(?:${body}{${min},}|${cutOff})`;
}

function bounded(pattern: RegExp): RegExp {
  return new RegExp(BOUNDARY + pattern.source, pattern.flags);
}

/** What may precede a flag in one command. */
const OTHER_FLAGS = "(?: [^\\n|;&]{0,256}?)??";

/** The value of a flag, perhaps in quotes; a variable is no secret. */
const FLAG_VALUE = `\\\\{0,4}["']?((?![$%-])(?:(?<=")[^"\\\\\\n]+|(?<=')[^'\\\\\\n]+|[^\\s"'\\\\]+))`;

/** The shapes of secrets; every pattern runs in linear time. */
export const SECRET_SHAPES: readonly SecretShape[] = [
  // token with a known prefix
  {
    shortest: 9,
    pattern: new RegExp(`${BOUNDARY}(${TOKEN_PREFIXES.map(toSource).join("|")})`, "g"),
  },
  // PEM or PGP private key, also without its end
  {
    shortest: 27,
    pattern:
      /(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [^-]{0,60}-----|$))/g,
  },
  // OpenSSH key without its header
  {
    shortest: 19,
    pattern: /(b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/=\s\\]*)/g,
  },
  // AWS secret key
  {
    shortest: 40,
    pattern: bounded(/(?<![_/+-])([A-Za-z0-9/+]{40})(?![\w/+=-])/g),
    isSecret: isRandom,
  },
  // AWS secret key beside its id or name
  {
    shortest: 44,
    pattern: bounded(
      /(?:(?:AKIA|ASIA)[A-Z0-9]{16}|aws|secret.?access.?key)[^\n]{0,60}?(?<![A-Za-z0-9/+=])((?![a-f0-9]{40})[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
    ),
  },
  // number of a payment card
  {
    shortest: 14,
    pattern: bounded(
      /(?<![_.+-])(\d{14,19}|\d{4}([ -])\d{4}\2\d{4}\2\d{4}|\d{4}([ -])\d{6}\3\d{4,5})(?![\w-]|\.\d)/g,
    ),
    isSecret: isCardNumber,
  },
  // Twilio auth token beside its account
  {
    shortest: 67,
    pattern: bounded(/AC[0-9a-f]{32}[^0-9a-f\n]{1,40}([0-9a-f]{32})\b/g),
  },
  // Mailgun signed key
  {
    shortest: 50,
    pattern: bounded(/([0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})\b/g),
  },
  // Mailchimp key
  { shortest: 36, pattern: bounded(/([0-9a-f]{32}-us\d{1,2})\b/g) },
  // Slack webhook
  {
    shortest: 26,
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/([\w/+-]+)/gi,
  },
  // Discord webhook
  {
    shortest: 28,
    pattern: /discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d{1,24}\/([\w-]+)/gi,
  },
  // Teams or Power Automate webhook
  {
    shortest: 30,
    pattern: /webhook\.office\.com\/webhookb2\/([\w/@-]+)/gi,
  },
  // Azure storage or service bus key
  {
    shortest: 19,
    pattern: /(?:Account|SharedAccess)Key\s{0,4}=\s{0,4}([\w+/=-]{8,})/gi,
  },
  // bearer header
  {
    shortest: 15,
    pattern: bounded(/bearer\s{1,4}((?=[\w.~+/=-]*[\d._~+/=]|[\w.~+/=-]{20})[\w.~+/=-]{8,})/gi),
  },
  // basic header
  {
    shortest: 14,
    pattern: bounded(
      /[Bb]asic\s{1,4}((?=[A-Za-z0-9+/]*(?:[0-9=]|[a-z][A-Z][A-Za-z]{4}))[A-Za-z0-9+/]{8,}={0,2})/g,
    ),
  },
  // password in a URL
  {
    shortest: 8,
    part: "://",
    pattern:
      /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/?#@:"'<>]{0,128}:((?!\d{1,5}(?:[/?#]|$))[^\s"'<>]{1,256})(?=@)/gi,
  },
  // password in a URL whose end was cut
  {
    shortest: 10,
    part: "://",
    pattern: new RegExp(
      `[a-z][a-z0-9+.-]{1,20}://[^\\s/?#@:"'<>[]{0,128}:((?!\\d{1,5}${END})[^\\s/?#@:"'<>]{4,256}?)${END}`,
      "gi",
    ),
  },
  // token as the user of a URL
  {
    shortest: 26,
    part: "://",
    pattern: /[a-z][a-z0-9+.-]{1,20}:\/\/([^\s/?#@:"'<>]{20,256})(?=@)/gi,
  },
  // signature or key in a URL's query
  {
    shortest: 13,
    pattern:
      /[?&;](?:sig|signature|key|code|sv_sig|x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential))=([^\s&#"'<>]{8,})/gi,
  },
  // user and password of curl
  {
    shortest: 7,
    pattern: /\s(?:-u|--user)[ =]["']?[^\s:"']{1,64}:((?!\d+\b)[^\s"']+)/g,
  },
  // password glued to a flag
  {
    shortest: 6,
    part: " -p",
    pattern: bounded(
      new RegExp(`(?:mysql|mariadb|sshpass|7z)[\\w.-]{0,20}${OTHER_FLAGS} -p${FLAG_VALUE}`, "g"),
    ),
  },
  // password behind a short flag
  {
    shortest: 11,
    pattern: bounded(
      new RegExp(
        `(?:(?:sshpass|mongo\\w{0,8}|(?:docker|podman|registry) login)${OTHER_FLAGS} -p|sqlcmd${OTHER_FLAGS} -P|redis-cli${OTHER_FLAGS} -a) ${FLAG_VALUE}`,
        "g",
      ),
    ),
  },
];

/** How often two neighbours in a string must look unlike a word; random letters and digits do so twice as often. */
const UNLIKE_WORDS = 8;

/** Whether letters and digits look random: words and file names have few digits, and capitals only at their start. */
function isRandom(text: string): boolean {
  if (!/[a-z]/.test(text) || !/[A-Z]/.test(text) || /^[A-Fa-f0-9]+$/.test(text)) return false;
  const pairs = text.replaceAll(/[/+]/g, "").match(/(?=[A-Z]{2}|\d[A-Za-z\d]|[A-Za-z]\d)/g);
  return (pairs?.length ?? 0) >= UNLIKE_WORDS && /\d/.test(text);
}

/** How the numbers of the large card networks begin, by their length; the others share their prefixes with much else. */
const CARD =
  /^(?:3(?:0[0-5]|[68]\d)\d{11}|3[47]\d{13}|(?:4\d{3}|5[0-8]\d{2}|2[2-7]\d{2}|6\d{3}|35\d{2})\d{12}|(?:4|62)\d{17,18})$/;

/** Whether these are the digits of a payment card: a known prefix, its length, and the check digit. */
export function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/[ -]/g, "");
  if (!CARD.test(digits)) return false;
  const sum = Array.from(digits, Number)
    .toReversed()
    .reduce((total, digit, at) => total + (at % 2 === 0 ? digit : doubled(digit)), 0);
  return sum % 10 === 0 && !/^(\d)\1*$/.test(digits);
}

function doubled(digit: number): number {
  return digit > 4 ? 2 * digit - 9 : 2 * digit;
}
