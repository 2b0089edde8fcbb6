import { describe, expect, test } from "vitest";
import { quoteName } from "./pointer.ts";
import { createSanitizer } from "./sanitizer.ts";
import { SECRET_SHAPES } from "./secret-shapes.ts";

const sanitizer = createSanitizer({ maxValuePreview: 100, workspaceRoot: "/srv/app" });
const preview = (value: unknown): string => sanitizer.preview(value, { path: ["note"] });

// Random letters; every sample is assembled here, so that this file holds no complete secret.
const MIXED = "a8Kd03jfLq92mZx7Qw41RtYu5BvN6cSeH1pGoI2k";
const LONG = MIXED + "Zt6Vb4Xn8Mq0Lw3Er5Ty7Ui9Op1As2Df" + MIXED.toLowerCase() + "Q9w8E7r6T5y4";
const HEX = "4f9a1c07be23d85640a7e91b3c5df208";
const UPPER = "Q3ZK7WXYT5R2B6MN4VCJ8HLD9FPGSA1E";
// Separate from its context, so that no scanner reports this file.
const KEY = "KEY";
const PEM_BODY = `${LONG.slice(0, 64)}\n${LONG.slice(20, 84)}`;

interface Sample {
  readonly name: string;
  /** The secret in its context. */
  readonly text: string;
  /** What must not be shown. */
  readonly secret: string;
}

const prefixed = (name: string, prefix: string, body: string): Sample => ({
  name,
  text: prefix + body,
  secret: body,
});

const inside = (name: string, before: string, secret: string, after = ""): Sample => ({
  name,
  text: before + secret + after,
  secret,
});

const SAMPLES: readonly Sample[] = [
  prefixed("OpenAI project key", "sk-proj-", LONG.slice(0, 60)),
  prefixed("OpenAI service account key", "sk-svcacct-", LONG.slice(0, 60)),
  prefixed("OpenAI key", "sk-", MIXED + "T3Blbk"),
  prefixed("Anthropic key", "sk-ant-api03-", LONG.slice(0, 90)),
  prefixed("OpenRouter key", "sk-or-v1-", HEX + HEX),
  prefixed("Google API key", "AIza", MIXED.slice(0, 35)),
  prefixed("Google access token", "ya29.", LONG.slice(0, 100)),
  prefixed("Google client secret", "GOCSPX-", MIXED.slice(0, 28)),
  prefixed("AWS key id", "AKIA", UPPER.slice(0, 16)),
  prefixed("AWS temporary key id", "ASIA", UPPER.slice(0, 16)),
  inside("AWS secret key in a profile", "aws_secret_access_key = ", MIXED),
  prefixed("AWS secret key", "", MIXED),
  inside("AWS secret key in an assignment", "x=", MIXED),
  inside("AWS secret key in prose", "the aws one is ", MIXED),
  inside("AWS secret key behind its id", `AKIA${UPPER.slice(0, 16)},`, MIXED),
  prefixed("AWS session token", "IQoJb3JpZ2lu", LONG),
  prefixed("GitHub classic token", "ghp_", MIXED.slice(0, 36)),
  prefixed("GitHub OAuth token", "gho_", MIXED.slice(0, 36)),
  prefixed("GitHub user token", "ghu_", MIXED.slice(0, 36)),
  prefixed("GitHub server token", "ghs_", MIXED.slice(0, 36)),
  prefixed("GitHub refresh token", "ghr_", MIXED.slice(0, 36)),
  prefixed("GitHub fine-grained token", "github_pat_", LONG.slice(0, 82)),
  prefixed("GitLab token", "glpat-", MIXED.slice(0, 20)),
  prefixed("Slack bot token", "xoxb-", `123456789012-${MIXED.slice(0, 24)}`),
  prefixed("Slack app token", "xapp-1-", `A012-${MIXED}`),
  inside("Slack webhook", "https://hooks.slack.com/services/", `T01/B02/${MIXED.slice(0, 24)}`),
  prefixed("Stripe secret key", "sk_live_", MIXED.slice(0, 24)),
  prefixed("Stripe restricted key", "rk_live_", MIXED.slice(0, 24)),
  prefixed("Stripe webhook secret", "whsec_", MIXED.slice(0, 32)),
  prefixed("Twilio key", "SK", HEX),
  inside("Twilio token beside its account", `AC${HEX.split("").toReversed().join("")}:`, HEX),
  prefixed("SendGrid key", "SG.", `${MIXED.slice(0, 22)}.${LONG.slice(30, 73)}`),
  prefixed("Mailgun key", "key-", HEX),
  prefixed("Mailchimp key", "", `${HEX}-us12`),
  prefixed("npm token", "npm_", MIXED.slice(0, 36)),
  prefixed("PyPI token", "pypi-", `AgEIcHlwaS5vcmc${LONG.slice(0, 80)}`),
  prefixed("Hugging Face token", "hf_", MIXED.slice(0, 34)),
  prefixed("Groq key", "gsk_", LONG.replace(/\W/g, "").slice(0, 52)),
  prefixed("DigitalOcean token", "dop_v1_", HEX + HEX),
  prefixed("Shopify token", "shpat_", HEX),
  prefixed("Square token", "sq0atp-", MIXED.slice(0, 22)),
  prefixed("Telegram bot token", "1234567890:AA", MIXED.slice(0, 33)),
  prefixed("Discord bot token", "MTA", `${MIXED.slice(0, 21)}.GhIjKl.${MIXED.slice(0, 38)}`),
  inside("Discord webhook", "https://discord.com/api/webhooks/123456789/", LONG.slice(0, 68)),
  inside("Azure storage key", "AccountName=x;AccountKey=", `${LONG.slice(0, 86)}==`, ";Suffix=y"),
  inside("Azure SAS signature", "https://x.blob.test/c?sv=2022&sig=", `${MIXED.slice(0, 30)}%3D`),
  prefixed("JSON web token", "eyJ", `hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0.${MIXED}`),
  inside(
    "PEM private key",
    `-----BEGIN RSA PRIVATE ${KEY}-----\n`,
    PEM_BODY,
    `\n-----END RSA PRIVATE ${KEY}-----`,
  ),
  inside("PEM private key cut off", `-----BEGIN PRIVATE ${KEY}-----\n`, PEM_BODY),
  inside("PGP private key", `-----BEGIN PGP PRIVATE ${KEY} BLOCK-----\n\n`, PEM_BODY),
  inside("bearer header", "Authorization: Bearer ", MIXED),
  inside("bearer header in prose", "send bearer ", MIXED),
  inside("basic header", "Basic ", `${MIXED.slice(0, 22)}==`),
  inside("password in a URL", "postgres://admin:", "S3cr3t/p@ss!word", "@db.test:5432/main"),
  inside("token as a URL's user", "https://", MIXED, "@git.test/a/b.git"),
  inside("access token in a query", "https://x.test/a?page=2&access_token=", MIXED),
  inside("API key in a query", "https://x.test/a?api_key=", MIXED),
  prefixed("Vault token", "hvs.", LONG.slice(0, 90)),
  prefixed("Databricks token", "dapi", HEX),
  prefixed("Linear key", "lin_api_", MIXED),
  prefixed("Notion token", "ntn_", LONG.replace(/\W/g, "").slice(0, 46)),
  prefixed("Notion token, older", "secret_", LONG.replace(/\W/g, "").slice(0, 43)),
  prefixed("Postman key", "PMAK-", `${HEX.slice(0, 24)}-${HEX}`),
  prefixed("New Relic key", "NRAK-", UPPER.slice(0, 27)),
  prefixed("age secret key", "AGE-SECRET-KEY-1", UPPER + UPPER.slice(0, 26)),
  inside(
    "connection string",
    "Server=db;User Id=sa;Password=",
    MIXED.slice(0, 14),
    ";Encrypt=true",
  ),
  inside("environment file", "HOST=db\nDB_PASSWORD=", MIXED.slice(0, 14), "\nPORT=1"),
  inside("YAML file", "user: sa\npassword: ", MIXED.slice(0, 14), "\nport: 1"),
  inside("command line", "login --password ", MIXED.slice(0, 14), " --host db"),
  inside("curl user", "curl -u admin:", MIXED.slice(0, 14), " https://x.test"),
  inside("cookie header", "Cookie: a=1; sid=", MIXED),
  inside("XML element", "<password>", MIXED.slice(0, 14), "</password>"),
  inside("natural language", "my password is ", MIXED.slice(0, 14)),
  prefixed("Atlassian token", "ATATT3", `xFfGF0${LONG}`),
  prefixed("Docker token", "dckr_pat_", MIXED.slice(0, 27)),
  prefixed("Grafana token", "glsa_", `${MIXED.slice(0, 32)}_1a2b3c4d`),
  prefixed("Supabase key", "sbp_", HEX),
  inside("password glued to a flag", "mysql -u root -p", MIXED.slice(0, 14), " shop"),
  inside("password behind a short flag", "sshpass -p ", MIXED.slice(0, 14), " ssh db"),
  ...["4242424242424242", "5555555555554444", "2223003122003222", "6011111111111117"].map(
    (digits) => prefixed(`card number ${digits.slice(0, 4)}`, "", digits),
  ),
  prefixed("card number of 15 digits", "", ["3782", "822463", "10005"].join("")),
  prefixed("card number with spaces", "", ["4000", "0566", "5566", "5556"].join(" ")),
  prefixed("card number with hyphens", "", ["4000", "0566", "5566", "5556"].join("-")),
];

const escapeAll = (text: string): string =>
  text
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");

/** Every way a secret can be sent, and what is shown for it. */
const PLACES: readonly (readonly [string, (text: string) => string])[] = [
  ["a plain value", (text) => preview(text)],
  ["a sentence", (text) => preview(`Use ${text} please`)],
  ["quotes", (text) => preview(`the value "${text}", I think`)],
  ["an object's value", (text) => preview({ note: text, mode: "fast" })],
  ["a nested value", (text) => preview({ options: { note: text } })],
  ["an array's item", (text) => preview(["first", text])],
  ["the last item of a long array", (text) => preview(["a", "b", "c", "d", text])],
  ["an object's key", (text) => preview({ [text]: 1 })],
  ["stringified JSON", (text) => preview(JSON.stringify({ note: text, list: [text] }))],
  ["a later line of a string in JSON", (text) => preview(JSON.stringify({ log: `a\n${text}` }))],
  ["JSON in JSON", (text) => preview(JSON.stringify({ body: JSON.stringify({ note: text }) }))],
  ["JSON that was cut off", (text) => preview(JSON.stringify({ note: text }).slice(0, -2))],
  ["JSON with escapes", (text) => preview(`{"note":"${escapeAll(text)}"}`)],
  ["broken JSON with escapes", (text) => preview(`{"note":"${escapeAll(text)}`)],
  ["the edge of what is shown", (text) => preview(`${"word ".repeat(17)}${text}`)],
  [
    "the edge of what is searched",
    (text) => preview(`${"w ".repeat(1020)}${text} ${"w ".repeat(5000)}`),
  ],
  [
    "the edge of the lookahead",
    (text) => preview(`${"w ".repeat(2040)}${text} ${"w ".repeat(5000)}`),
  ],
  [
    "the edge of what is searched, behind something long that is masked",
    (text) =>
      preview(
        `-----BEGIN PRIVATE ${KEY}-----${LONG.repeat(16).slice(0, 1960)}-----END X----- ${text} ${"w ".repeat(5000)}`,
      ),
  ],
  ["a redactor's text", (text) => sanitizer.mask(`Use ${text} please`, { path: [] }).text],
  ["a redactor's sample", (text) => sanitizer.mask({ list: [text] }, { path: [] }).text],
  ["a rule's message", (text) => sanitizer.text(`The value ${text} is wrong`)],
  ["a tool's name", (text) => quoteName(text)],
  ["an undeclared key", (text) => JSON.stringify(sanitizer.key(text, false))],
  ["a declared key", (text) => JSON.stringify(sanitizer.key(text, true))],
  ["a pointer", (text) => JSON.stringify(sanitizer.pointer(["a", text], () => false))],
];

function runsOf(secret: string): readonly string[] {
  const length = 8;
  return Array.from({ length: secret.length - length + 1 }, (_, at) =>
    secret.slice(at, at + length),
  ).filter((run) => !run.includes("\n"));
}

/** A reader sees through escapes. */
const unescapeAll = (text: string): string =>
  text.replace(/\\+u([0-9a-f]{4})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );

function seen(output: string, { secret }: Sample): readonly string[] {
  const read = unescapeAll(output);
  return runsOf(secret).filter((run) => output.includes(run) || read.includes(run));
}

describe("secret shapes", () => {
  test("the table has samples of at least 45 kinds, each long enough to search for", () => {
    expect(new Set(SAMPLES.map(({ name }) => name)).size).toBeGreaterThanOrEqual(45);
    expect(SAMPLES.filter((sample) => runsOf(sample.secret).length === 0)).toEqual([]);
  });

  test.for(SAMPLES)("masks: $name, wherever it stands", (sample) => {
    for (const [place, show] of PLACES) {
      const output = show(sample.text);
      expect(seen(output, sample), `${place}: ${output}`).toEqual([]);
    }
  });

  test.for(SAMPLES)("keeps the text around: $name", (sample) => {
    const output = preview(`Use ${sample.text}`);
    expect(output).toMatch(/^"Use /);
    expect(output).toContain("[redacted]");
  });
});

// In the order of the shapes: what the pattern needs and no more.
const SHORTEST: readonly (readonly [name: string, text: string])[] = [
  ["token with a known prefix", `sk_${HEX.slice(0, 6)}`],
  ["PEM or PGP private key, also without its end", `-----BEGIN PRIVATE ${KEY}-----`],
  ["OpenSSH key without its header", "b3BlbnNzaC1rZXktdjE"],
  ["AWS secret key", MIXED],
  ["AWS secret key beside its id or name", `aws ${MIXED}`],
  ["number of a payment card", "30569309025904"],
  ["Twilio auth token beside its account", `AC${HEX} ${HEX}`],
  ["Mailgun signed key", `${HEX}-${HEX.slice(0, 8)}-${HEX.slice(8, 16)}`],
  ["Mailchimp key", `${HEX}-us1`],
  ["Slack webhook", "hooks.slack.com/services/a"],
  ["Discord webhook", "discord.com/api/webhooks/1/a"],
  ["Teams or Power Automate webhook", "webhook.office.com/webhookb2/a"],
  ["Azure storage or service bus key", `AccountKey=${MIXED.slice(0, 8)}`],
  ["bearer header", `bearer ${MIXED.slice(0, 8)}`],
  ["basic header", `basic ${MIXED.slice(0, 8)}`],
  ["password in a URL", "ab://:c@"],
  ["password in a URL whose end was cut", "ab://:cdef"],
  ["token as the user of a URL", `ab://${MIXED.slice(0, 20)}@`],
  ["signature or key in a URL's query", `?sig=${MIXED.slice(0, 8)}`],
  ["user and password of curl", " -u a:b"],
  ["password glued to a flag", "7z -pa"],
  ["password behind a short flag", "sqlcmd -P a"],
];

test("every shape has its row", () => {
  expect(SHORTEST).toHaveLength(SECRET_SHAPES.length);
});

test.each(SHORTEST.map(([name, text], index) => ({ ...SECRET_SHAPES[index]!, name, text })))(
  "$name: no shorter string matches",
  ({ pattern, shortest, part = "", text }) => {
    const found = (other: string): boolean => new RegExp(pattern.source, pattern.flags).test(other);
    expect([text.length, text.includes(part), found(text)]).toEqual([shortest, true, true]);
    const shorter = Array.from(text, (_, at) => text.slice(0, at) + text.slice(at + 1));
    expect(shorter.filter(found)).toEqual([]);
  },
);

describe("the beginnings of truncated secrets", () => {
  const HEADS = [
    "sk-ant-api03-",
    "sk-proj-",
    "ghp_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "sk_live_",
    "AIza",
    "hvs.",
    "eyJhbGci",
  ];

  test.for(HEADS)("masks what follows %s at the end of a text", (prefix) => {
    const body = MIXED.slice(0, 8);
    const head = prefix + body;
    for (const text of [head, `key ${head}`, `{"note": "${head}`, `${head}...`, `"${head}"}`]) {
      expect(preview(text)).not.toContain(body);
    }
  });

  // So short a head is a word more often than a secret.
  test.each([
    ["abc8Q~", 12],
    ["ATATT3", 12],
    ["secret_", 24],
  ])("after %s, %i characters are a secret and one fewer are not", (prefix, length) => {
    const head = prefix + MIXED.slice(0, length);
    expect(preview(`key ${head}`)).not.toContain(head);
    expect(preview(`key ${head.slice(0, -1)}`)).toContain(head.slice(0, -1));
  });
});

describe("false friends", () => {
  const INNOCENT: readonly string[] = [
    "123e4567-e89b-12d3-a456-426614174000",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    "The quick brown fox jumps over the lazy dog.",
    "The token: must be renewed, and the password is too short",
    "secret_santa_list_for_the_office.txt",
    "src/auth/token-store.test.ts",
    "max_tokens=4096, page_token=abc123def456",
    '{"max_tokens":"4096","tokenizer":"cl100k"}',
    "sk-learn-contrib and sk-some-kebab-case-name",
    "AKIANT and ASIAPACIFICHEADQUARTERS",
    "global-configuration-settings",
    "npm_config_registry and npm_lifecycle_event",
    "hf_transfer is on",
    "unit_test_something_long_enough",
    "re_render_all_the_components_now",
    "Basic authentication and bearer authentication",
    "https://example.com:8080/@scope/name?page=2&sort=asc",
    "user@example.com",
    "2024-02-30T12:00:00Z",
    "eyJpZCI6MTIzfQ==",
    "SG.example",
    "docker run -u 1000:1000 image",
    "key-value pairs and key-of-the-door",
    "-----BEGIN CERTIFICATE-----",
    "password: string; token?: string",
    "AC1234",
    // SHA-1 in hexadecimal of either case, with and without 0x, SHA-256 and MD5
    "9fceb02d0ae598e95dc970b74767f19372d61af8",
    "9FCEB02D0AE598E95DC970B74767F19372D61AF8",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "d41d8cd98f00b204e9800998ecf8427e",
    // base64 of an image, and integrity hashes
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
    "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    // 40 characters that are words
    "src/components/UserProfile2/AvatarHelper",
    "getTheUserByIdFromDatabaseWithRetryCount",
    "getUserById2FromDatabaseV3WithRetryCountX".slice(0, 40),
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ01234567890ABC",
    // an order number of 16 digits whose check digit is wrong, and one of a prefix that no card has
    "4242424242424241",
    "1234567890123452",
    "4000 0566 5566 5555",
    // international bank, phone, book, device and tracking numbers
    "DE89370400440532013000",
    "+49 1512 3456789",
    "+4915123456789012",
    "978-3-16-148410-0",
    "9783161484100",
    "4006381333931",
    "490154203237518",
    "1Z999AA10123456784",
    "420221539101026837331000039521",
    // times in milliseconds, microseconds and nanoseconds, and dates
    "1718040000000",
    "1718040000000000",
    "1718040000000000000",
    "20240612153000",
    "4.4242424242424242",
    "ORD-4242424242424242",
    "0000000000000000",
  ];

  test.for(INNOCENT)("leaves alone: %s", (text) => {
    expect(preview(text)).toBe(JSON.stringify(text));
  });

  test("masks a number that is a card's, and leaves others alone", () => {
    expect(preview({ card: 4242424242424242, order: 4242424242424241, at: 1718040000000 })).toBe(
      '{"card": [redacted], "order": 4242424242424241, "at": 1718040000000}',
    );
  });

  test("leaves numbers about tokens alone", () => {
    expect(preview({ max_tokens: 4096, token_count: 12, page_token: "p2" })).toBe(
      '{"max_tokens": 4096, "token_count": 12, "page_token": "p2"}',
    );
  });
});

describe("truncated URLs", () => {
  test.for([
    ["https://bob:SoCFfDcAdMgiM", '"https://bob:[redacted]"'],
    ["redis://:Sasn4K9Z...", '"redis://:[redacted]..."'],
    ["open http://localhost:8080", '"open http://localhost:8080"'],
    ["http://[::1]:8080", '"http://[::1]:8080"'],
    ["see https://db.test", '"see https://db.test"'],
  ] as const)("%s", ([text, shown]) => {
    expect(preview(text)).toBe(shown);
  });
});
