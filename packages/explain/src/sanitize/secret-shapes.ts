import { END, TOKEN_PREFIXES, toSource } from "./token-prefixes.ts";

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
  // Azure key, which has its mark in the middle
  {
    shortest: 46,
    part: "JQQJ99",
    pattern: afterBoundary(/([A-Za-z0-9]{30,70}JQQJ99[A-Za-z0-9]{10,40})/g),
  },
  // MaxMind key, which has its mark at the end
  {
    shortest: 40,
    part: "_mmk",
    pattern: afterBoundary(/([A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk)/g),
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
      /(?<![_.+-])(\d{14,19}|\d{4}([ \u00a0\u2000-\u2015\u202f\u2212-])\d{4}\2\d{4}\2\d{4}|\d{4}([ \u00a0\u2000-\u2015\u202f\u2212-])\d{6}\3\d{4,5})(?![\w-]|\.\d)/g,
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
  // password in a URL, with quotes, brackets or a space in it
  {
    shortest: 12,
    part: "://",
    pattern:
      /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/?#@:"'<>]{1,128}:((?!\d{1,5}(?:[/?#]|$))[^\n\r/?#@:"'<> ]{1,128}["'<> ][^\n\r/?#@]{1,128})(?=@[\w-]{1,63}(?:[.:/]|$))/gi,
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
  const digits = text.replaceAll(/\D/g, "");
  if (!CARD.test(digits)) return false;
  const sum = Array.from(digits, Number)
    .toReversed()
    .reduce((total, digit, at) => total + (at % 2 === 0 ? digit : doubled(digit)), 0);
  return sum % 10 === 0 && !/^(\d)\1*$/.test(digits);
}

function doubled(digit: number): number {
  return digit > 4 ? 2 * digit - 9 : 2 * digit;
}
