import { TOKEN_PREFIXES, type TokenPrefix } from "./token-prefixes.ts";

/** A secret recognised by its surroundings: the first group, which ends the match, is the secret. */
export interface SecretShape {
  readonly name: string;
  readonly pattern: RegExp;
}

/** A token begins after anything but a letter or digit, or after the escape of a character. */
const BOUNDARY = "(?:(?<![A-Za-z0-9])|(?<=\\\\[nrtbf]|%[0-9A-Fa-f]{2}|\\\\u[0-9A-Fa-f]{4}))";

/** The end of the text, perhaps behind closing punctuation or an ellipsis: what stands before was cut. */
const END = "(?=[\\s.…\"'\\\\\\]}]{0,8}$)";

function toSource({ prefix, body = "[\\w-]", min = 16, head = 6 }: TokenPrefix): string {
  const cutOff = `(?=${body}{0,40}?[0-9A-Z])${body}{${head},}${END}`;
  return `${prefix}(?:${body}{${min},}|${cutOff})`;
}

function bounded(pattern: RegExp): RegExp {
  return new RegExp(BOUNDARY + pattern.source, pattern.flags);
}

/** Secrets that are known by what stands around them; every pattern runs in linear time. */
export const SECRET_SHAPES: readonly SecretShape[] = [
  {
    name: "token with a known prefix",
    pattern: new RegExp(`${BOUNDARY}(${TOKEN_PREFIXES.map(toSource).join("|")})`, "g"),
  },
  {
    name: "PEM or PGP private key, also without its end",
    pattern:
      /(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [^-]{0,60}-----|$))/g,
  },
  { name: "OpenSSH key without its header", pattern: /(b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/=\s\\]*)/g },
  {
    name: "AWS secret key beside its id or name",
    pattern: bounded(
      /(?:(?:AKIA|ASIA)[A-Z0-9]{16}|aws|secret.?access.?key)[^\n]{0,60}?(?<![A-Za-z0-9/+=])((?![a-f0-9]{40})[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
    ),
  },
  {
    name: "Twilio auth token beside its account",
    pattern: bounded(/AC[0-9a-f]{32}[^0-9a-f\n]{1,40}([0-9a-f]{32})\b/g),
  },
  { name: "Mailgun signed key", pattern: bounded(/([0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})\b/g) },
  { name: "Mailchimp key", pattern: bounded(/([0-9a-f]{32}-us\d{1,2})\b/g) },
  {
    name: "Slack webhook",
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/([\w/+-]+)/gi,
  },
  {
    name: "Discord webhook",
    pattern: /discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d{1,24}\/([\w-]+)/gi,
  },
  {
    name: "Teams or Power Automate webhook",
    pattern: /webhook\.office\.com\/webhookb2\/([\w/@-]+)/gi,
  },
  {
    name: "Azure storage or service bus key",
    pattern: /(?:Account|SharedAccess)Key\s{0,4}=\s{0,4}([\w+/=-]{8,})/gi,
  },
  {
    name: "bearer header",
    pattern: bounded(/bearer\s{1,4}((?=[\w.~+/=-]*[\d._~+/=]|[\w.~+/=-]{20})[\w.~+/=-]{8,})/gi),
  },
  {
    name: "basic header",
    pattern: bounded(
      /[Bb]asic\s{1,4}((?=[A-Za-z0-9+/]*(?:[0-9=]|[a-z][A-Z][A-Za-z]{4}))[A-Za-z0-9+/]{8,}={0,2})/g,
    ),
  },
  {
    name: "password in a URL",
    pattern:
      /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/?#@:"'<>]{0,128}:((?!\d{1,5}(?:[/?#]|$))[^\s"'<>]{1,256})(?=@)/gi,
  },
  {
    name: "password in a URL whose end was cut",
    pattern: new RegExp(
      `[a-z][a-z0-9+.-]{1,20}://[^\\s/?#@:"'<>[]{0,128}:((?!\\d{1,5}${END})[^\\s/?#@:"'<>]{4,256}?)${END}`,
      "gi",
    ),
  },
  {
    name: "token as the user of a URL",
    pattern: /[a-z][a-z0-9+.-]{1,20}:\/\/([^\s/?#@:"'<>]{20,256})(?=@)/gi,
  },
  {
    name: "signature or key in a URL's query",
    pattern:
      /[?&;](?:sig|signature|key|code|sv_sig|x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential))=([^\s&#"'<>]{8,})/gi,
  },
  {
    name: "user and password of curl",
    pattern: /\s(?:-u|--user)[ =]["']?[^\s:"']{1,64}:((?!\d+\b)[^\s"']+)/g,
  },
];
