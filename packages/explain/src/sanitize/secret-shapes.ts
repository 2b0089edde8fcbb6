/**
 * A kind of token that is recognised by its prefix: its name, the pattern source of the prefix, the character class of
 * the rest, how many such characters there are at least, and how many at the end of a string, where a token may be cut.
 */
type TokenPrefix = readonly [
  name: string,
  prefix: string,
  body?: string,
  min?: number,
  head?: number,
];

const WORD = "[\\w-]";
const ALPHANUMERIC = "[A-Za-z0-9]";
const HEX = "[A-Fa-f0-9]";
const DOTTED = "[\\w.-]";
const BASE64 = "[\\w+/=-]";

/** The tokens with a known prefix. */
const TOKEN_PREFIXES: readonly TokenPrefix[] = [
  ["OpenAI key", "sk-(?:proj|svcacct|admin|None)-", WORD, 8],
  ["Anthropic key", "sk-ant-", WORD, 8],
  ["OpenRouter, Langfuse key", "sk-(?:or-v1|lf)-", WORD, 8],
  ["key of the sk- family", "sk-(?=[\\w-]{0,60}\\d)(?:[a-z0-9]{1,12}-){0,3}", "\\w", 16, 12],
  ["key of the sk_ family", "sk_", "[a-f0-9]", 40],
  ["Google API key", "AIza"],
  ["Google access token", "ya29\\.", DOTTED],
  ["Google refresh token", "1//0"],
  ["Google client secret", "GOCSPX-", WORD, 10],
  ["AWS key id", "(?:AKIA|(?:ASIA|ABIA|ACCA)(?=[A-Z]{0,15}\\d))", "[A-Z0-9]"],
  ["AWS session token", "(?:FwoGZXIvYXdzE|IQoJb3JpZ2lu)", BASE64],
  ["AWS Bedrock key", "(?:ABSK|bedrock-api-key-)", BASE64, 40, 24],
  ["GitHub token", "gh[oprsu]_", "\\w"],
  ["GitHub fine-grained token", "github_pat_", "\\w"],
  [
    "GitLab token",
    "(?:gl(?:pat|dt|rtr?|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-|GR1348941)",
    DOTTED,
  ],
  ["Slack token", "xox[a-z](?:\\.xox[a-z])?-", WORD, 8],
  ["Slack app token", "(?:xapp-\\d-|xwfp-)", WORD, 8],
  ["Stripe key", "(?:[prs]k|shippo|duffel)_(?:live|test)_", "\\w", 10],
  ["Stripe webhook secret", "whsec_", BASE64],
  ["Twilio key or account", "(?:SK|AC)", "[a-f0-9]", 32, 20],
  ["SendGrid key", "SG\\.(?=[\\w-]{0,20}[0-9A-Z])[\\w-]{16,32}", DOTTED, 1],
  ["Mailgun key", "(?:key|pubkey)-", "[a-f0-9]", 32, 20],
  ["Brevo key", "xkeysib-"],
  ["Resend key", "re_(?=\\w{0,30}\\d)[A-Za-z0-9]{6,12}_", ALPHANUMERIC],
  ["npm token", "npm_", ALPHANUMERIC, 20, 10],
  ["PyPI token", "pypi-"],
  ["RubyGems key", "rubygems_", HEX],
  ["Docker token", "dckr_(?:pat|oat)_"],
  ["Hugging Face token", "(?:hf|api_org)_", ALPHANUMERIC, 20, 10],
  ["Groq, xAI, Replicate key", "(?:gsk_|xai-|r8_)", ALPHANUMERIC, 20, 10],
  ["NVIDIA key", "nvapi-"],
  ["Perplexity, Tavily, Pinecone key", "(?:pplx-|tvly-|pcsk_)"],
  ["LangSmith key", "lsv2_(?:pt|sk)_", "\\w"],
  ["DigitalOcean token", "do[opr]_v1_", HEX],
  ["Shopify token", "shp[a-z]{2}_", HEX],
  ["Square token", "sq0[a-z]{3}-"],
  ["Square or Facebook access token", "EAA[A-Z]", WORD, 40, 30],
  ["Telegram bot token", "\\d{6,12}:AA", WORD, 20],
  ["Discord bot token", "[MNO][\\w-]{22,27}\\.[\\w-]{6}\\."],
  ["HashiCorp Vault token", "hv[bsr]\\.", DOTTED],
  ["Terraform Cloud token", "[A-Za-z0-9]{14}\\.atlasv1\\.", DOTTED],
  ["Databricks token", "(?:dapi|dkea)", "[a-f0-9-]", 32, 12],
  ["Linear key", "lin_(?:api|oauth|wh)_", "\\w"],
  ["Notion token", "ntn_", ALPHANUMERIC],
  ["Notion token, older", "secret_", ALPHANUMERIC, 32, 24],
  ["Airtable token", "pat[A-Za-z0-9]{14}\\.", HEX],
  ["HubSpot token", "pat-[a-z]{2}\\d-"],
  ["Figma token", "fig[dor][a-z]{0,2}_"],
  ["Atlassian token", "AT(?:ATT3|CTT3|BB)", BASE64, 16, 12],
  ["Postman key", "PMAK-"],
  ["New Relic key", "NR(?:AK|II|JS|RA|BR|SP)-", "[A-Za-z0-9-]"],
  ["Grafana token", "gl(?:sa|c)_", BASE64],
  ["Sentry token", "sntry[su]_", BASE64],
  ["Dynatrace token", "dt0[a-z]\\d{2}\\.", DOTTED],
  ["Doppler token", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.", DOTTED],
  ["Supabase key", "(?:sbp|sb_secret)_"],
  ["PlanetScale secret", "pscale_(?:tkn|pw|oauth)_", DOTTED],
  ["Netlify, CircleCI, Buildkite token", "(?:nfp|CCIPAT|bkua)_"],
  ["Fly.io token", "fm[12][a-z]?_", BASE64],
  ["1Password service token", "ops_eyJ", BASE64],
  ["age secret key", "AGE-SECRET-KEY-", "[A-Z0-9]"],
  ["JSON web token", "eyJ[\\w-]{8,}\\.", DOTTED, 4],
  ["head of a JSON web token", "eyJ(?:hbGci|0eXAi|raWQi|jdHki)"],
  ["Azure AD client secret", "[\\w~.-]{3}\\dQ~", "[\\w~.-]", 24, 12],
];

/** A secret recognised by its context: the first group, which ends the match, is the secret. */
export interface SecretShape {
  /** The length of the shortest string that it matches in; shorter strings, which are most, are not searched. */
  readonly shortest: number;
  /** A part of every match, given if it is faster to search for than the pattern. */
  readonly part?: string;
  readonly pattern: RegExp;
  /**
   * Whether a match is a secret.
   *
   * @default all are
   */
  readonly isSecret?: (match: string) => boolean;
}

/** A token begins after anything but a letter or digit, or after an escaped character. */
const BOUNDARY = "(?:(?<![A-Za-z0-9])|(?<=\\\\[nrtbf]|%[0-9A-Fa-f]{2}|\\\\u[0-9A-Fa-f]{4}))";

/** The end of the string, perhaps after closing punctuation or an ellipsis: what precedes it may be cut off. */
const END = "(?=[\\s.…\"'\\\\\\]}]{0,8}$)";

function toSource([, prefix, body = WORD, min = 16, head = 6]: TokenPrefix): string {
  const cutOff = `(?=${body}{0,40}?[0-9A-Z])${body}{${head},}${END}`;
  return `${prefix}(?:${body}{${min},}|${cutOff})`;
}

function afterBoundary(pattern: RegExp): RegExp {
  return new RegExp(BOUNDARY + pattern.source, pattern.flags);
}

/** What may precede a flag in one command. */
const OTHER_FLAGS = "(?: [^\\n|;&]{0,256}?)??";

/** The value of a flag, perhaps in quotes; a variable is not a secret. */
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
    pattern: afterBoundary(/(?<![_/+-])([A-Za-z0-9/+]{40})(?![\w/+=-])/g),
    isSecret: isRandom,
  },
  // AWS secret key beside its id or name
  {
    shortest: 44,
    pattern: afterBoundary(
      /(?:(?:AKIA|ASIA)[A-Z0-9]{16}|aws|secret.?access.?key)[^\n]{0,60}?(?<![A-Za-z0-9/+=])((?![a-f0-9]{40})[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
    ),
  },
  // number of a payment card
  {
    shortest: 14,
    pattern: afterBoundary(
      /(?<![_.+-])(\d{14,19}|\d{4}([ -])\d{4}\2\d{4}\2\d{4}|\d{4}([ -])\d{6}\3\d{4,5})(?![\w-]|\.\d)/g,
    ),
    isSecret: isCardNumber,
  },
  // Twilio auth token beside its account
  {
    shortest: 67,
    pattern: afterBoundary(/AC[0-9a-f]{32}[^0-9a-f\n]{1,40}([0-9a-f]{32})\b/g),
  },
  // Mailgun signed key
  {
    shortest: 50,
    pattern: afterBoundary(/([0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})\b/g),
  },
  // Mailchimp key
  { shortest: 36, pattern: afterBoundary(/([0-9a-f]{32}-us\d{1,2})\b/g) },
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
    pattern: afterBoundary(
      /bearer\s{1,4}((?=[\w.~+/=-]*[\d._~+/=]|[\w.~+/=-]{20})[\w.~+/=-]{8,})/gi,
    ),
  },
  // basic header
  {
    shortest: 14,
    pattern: afterBoundary(
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
    pattern: afterBoundary(
      new RegExp(`(?:mysql|mariadb|sshpass|7z)[\\w.-]{0,20}${OTHER_FLAGS} -p${FLAG_VALUE}`, "g"),
    ),
  },
  // password behind a short flag
  {
    shortest: 11,
    pattern: afterBoundary(
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
