/** A secret of a known shape, where it is usually found. */
export interface Secret {
  readonly name: string;
  /** The secret in its context. */
  readonly text: string;
  /** What must not be shown. */
  readonly body: string;
}

/** A secret between what stands before and behind it. */
export function secret(name: string, before: string, body: string, after = ""): Secret {
  return { name, text: before + body + after, body };
}

// Random letters; every secret is assembled here, so that no file holds a complete one.
export const MIXED = "a8Kd03jfLq92mZx7Qw41RtYu5BvN6cSeH1pGoI2k";
export const LONG: string =
  MIXED + "Zt6Vb4Xn8Mq0Lw3Er5Ty7Ui9Op1As2Df" + MIXED.toLowerCase() + "Q9w8E7r6T5y4";
export const HEX = "4f9a1c07be23d85640a7e91b3c5df208";
export const UPPER = "Q3ZK7WXYT5R2B6MN4VCJ8HLD9FPGSA1E";
// Separate from its context, so that no scanner reports this file.
export const KEY = "KEY";
const PEM_BODY = `${LONG.slice(0, 64)}\n${LONG.slice(20, 84)}`;

/** The kinds that are looked for in everything that a contract tells, from every place of a call. */
export const SECRETS: readonly Secret[] = [
  secret("OpenAI project key", "sk-proj-", LONG.slice(0, 60)),
  secret("OpenAI key", "sk-", MIXED + "T3Blbk"),
  secret("Anthropic key", "sk-ant-api03-", LONG.slice(0, 90)),
  secret("OpenRouter key", "sk-or-v1-", HEX + HEX),
  secret("Google API key", "AIza", MIXED.slice(0, 35)),
  secret("Google access token", "ya29.", LONG.slice(0, 100)),
  secret("Google client secret", "GOCSPX-", MIXED.slice(0, 28)),
  secret("AWS key id", "AKIA", UPPER.slice(0, 16)),
  secret("AWS temporary key id", "ASIA", UPPER.slice(0, 16)),
  secret("AWS secret key in a profile", "aws_secret_access_key = ", MIXED),
  secret("AWS session token", "IQoJb3JpZ2lu", LONG),
  secret("GitHub classic token", "ghp_", MIXED.slice(0, 36)),
  secret("GitHub server token", "ghs_", MIXED.slice(0, 36)),
  secret("GitHub fine-grained token", "github_pat_", LONG.slice(0, 82)),
  secret("GitLab token", "glpat-", MIXED.slice(0, 20)),
  secret("Slack bot token", "xoxb-", `123456789012-${MIXED.slice(0, 24)}`),
  secret("Slack app token", "xapp-1-", `A012-${MIXED}`),
  secret("Slack webhook", "https://hooks.slack.com/services/", `T01/B02/${MIXED.slice(0, 24)}`),
  secret("Stripe secret key", "sk_live_", MIXED.slice(0, 24)),
  secret("Stripe restricted key", "rk_live_", MIXED.slice(0, 24)),
  secret("Stripe webhook secret", "whsec_", MIXED.slice(0, 32)),
  secret("Twilio key", "SK", HEX),
  secret("SendGrid key", "SG.", `${MIXED.slice(0, 22)}.${LONG.slice(30, 73)}`),
  secret("Mailgun key", "key-", HEX),
  secret("Mailchimp key", "", `${HEX}-us12`),
  secret("npm token", "npm_", MIXED.slice(0, 36)),
  secret("PyPI token", "pypi-", `AgEIcHlwaS5vcmc${LONG.slice(0, 80)}`),
  secret("Hugging Face token", "hf_", MIXED.slice(0, 34)),
  secret("DigitalOcean token", "dop_v1_", HEX + HEX),
  secret("Shopify token", "shpat_", HEX),
  secret("Square token", "sq0atp-", MIXED.slice(0, 22)),
  secret("Telegram bot token", "1234567890:AA", MIXED.slice(0, 33)),
  secret("Azure storage key", "AccountName=x;AccountKey=", `${LONG.slice(0, 86)}==`, ";Suffix=y"),
  secret("JSON web token", "eyJ", `hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0.${MIXED}`),
  secret("PEM private key cut off", `-----BEGIN PRIVATE ${KEY}-----\n`, PEM_BODY),
  secret("bearer header", "Authorization: Bearer ", MIXED),
  secret("basic header", "Basic ", `${MIXED.slice(0, 22)}==`),
  secret("password in a URL", "postgres://admin:", "S3cr3t/p@ss!word", "@db.test:5432/main"),
  secret("token as a URL's user", "https://", MIXED, "@git.test/a/b.git"),
  secret("API key in a query", "https://x.test/a?api_key=", MIXED),
  secret("Vault token", "hvs.", LONG.slice(0, 90)),
  secret("Databricks token", "dapi", HEX),
  secret("Linear key", "lin_api_", MIXED),
  secret("Postman key", "PMAK-", `${HEX.slice(0, 24)}-${HEX}`),
  secret("age secret key", "AGE-SECRET-KEY-1", UPPER + UPPER.slice(0, 26)),
  secret("environment file", "HOST=db\nDB_PASSWORD=", MIXED.slice(0, 14), "\nPORT=1"),
  secret("command line", "login --password ", MIXED.slice(0, 14), " --host db"),
  secret("cookie header", "Cookie: a=1; sid=", MIXED),
];

/** More kinds, each known by a shape of its own. */
export const MORE_SECRETS: readonly Secret[] = [
  secret("OpenAI service account key", "sk-svcacct-", LONG.slice(0, 60)),
  secret("AWS secret key", "", MIXED),
  secret("AWS secret key in an assignment", "x=", MIXED),
  secret("AWS secret key in prose", "the aws one is ", MIXED),
  secret("AWS secret key behind its id", `AKIA${UPPER.slice(0, 16)},`, MIXED),
  secret("GitHub OAuth token", "gho_", MIXED.slice(0, 36)),
  secret("GitHub user token", "ghu_", MIXED.slice(0, 36)),
  secret("GitHub refresh token", "ghr_", MIXED.slice(0, 36)),
  secret("Twilio token beside its account", `AC${HEX.split("").toReversed().join("")}:`, HEX),
  secret("Groq key", "gsk_", LONG.replace(/\W/g, "").slice(0, 52)),
  secret("Discord bot token", "MTA", `${MIXED.slice(0, 21)}.GhIjKl.${MIXED.slice(0, 38)}`),
  secret("Discord webhook", "https://discord.com/api/webhooks/123456789/", LONG.slice(0, 68)),
  secret("Azure SAS signature", "https://x.blob.test/c?sv=2022&sig=", `${MIXED.slice(0, 30)}%3D`),
  secret(
    "PEM private key",
    `-----BEGIN RSA PRIVATE ${KEY}-----\n`,
    PEM_BODY,
    `\n-----END RSA PRIVATE ${KEY}-----`,
  ),
  secret("PGP private key", `-----BEGIN PGP PRIVATE ${KEY} BLOCK-----\n\n`, PEM_BODY),
  secret("bearer header in prose", "send bearer ", MIXED),
  secret("access token in a query", "https://x.test/a?page=2&access_token=", MIXED),
  secret("Notion token", "ntn_", LONG.replace(/\W/g, "").slice(0, 46)),
  secret("Notion token, older", "secret_", LONG.replace(/\W/g, "").slice(0, 43)),
  secret("New Relic key", "NRAK-", UPPER.slice(0, 27)),
  secret(
    "connection string",
    "Server=db;User Id=sa;Password=",
    MIXED.slice(0, 14),
    ";Encrypt=true",
  ),
  secret("YAML file", "user: sa\npassword: ", MIXED.slice(0, 14), "\nport: 1"),
  secret("curl user", "curl -u admin:", MIXED.slice(0, 14), " https://x.test"),
  secret("XML element", "<password>", MIXED.slice(0, 14), "</password>"),
  secret("natural language", "my password is ", MIXED.slice(0, 14)),
  secret("Atlassian token", "ATATT3", `xFfGF0${LONG}`),
  secret("Docker token", "dckr_pat_", MIXED.slice(0, 27)),
  secret("Grafana token", "glsa_", `${MIXED.slice(0, 32)}_1a2b3c4d`),
  secret("Supabase key", "sbp_", HEX),
  secret("password glued to a flag", "mysql -u root -p", MIXED.slice(0, 14), " shop"),
  secret("password behind a short flag", "sshpass -p ", MIXED.slice(0, 14), " ssh db"),
  ...["4242424242424242", "5555555555554444", "2223003122003222", "6011111111111117"].map(
    (digits) => secret(`card number ${digits.slice(0, 4)}`, "", digits),
  ),
  secret("card number of 15 digits", "", ["3782", "822463", "10005"].join("")),
  secret("card number with spaces", "", ["4000", "0566", "5566", "5556"].join(" ")),
  secret("card number with hyphens", "", ["4000", "0566", "5566", "5556"].join("-")),
];

/** A reader sees through escapes. */
function unescapeAll(text: string): string {
  return text.replace(/\\+u([0-9a-fA-F]{4})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Whether a text shows eight characters of a secret in a row. */
export function leaks(text: string, { body }: Secret): boolean {
  const read = text.includes("\\u") ? `${text}\n${unescapeAll(text)}` : text;
  for (let at = 0; at + 8 <= body.length; at += 1) {
    if (read.includes(body.slice(at, at + 8))) return true;
  }
  return false;
}
