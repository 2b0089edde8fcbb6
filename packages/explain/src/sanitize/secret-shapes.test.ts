import { describe, expect, test } from "vitest";
import {
  HEX,
  KEY,
  leaks,
  LONG,
  MIXED,
  MORE_SECRETS,
  SECRETS,
} from "@toolcontract/case-table/secrets";
import { quoteName } from "./pointer.ts";
import { createSanitizer } from "./sanitizer.ts";
import { SECRET_SHAPES } from "./secret-shapes.ts";

const sanitizer = createSanitizer({ maxValuePreview: 100, workspaceRoot: "/srv/app" });
const preview = (value: unknown): string => sanitizer.preview(value, { path: ["note"] });

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

describe("secret shapes", () => {
  const all = [...SECRETS, ...MORE_SECRETS];

  test("the tables have at least 80 kinds, each long enough to search for", () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    expect(all.length).toBeGreaterThanOrEqual(80);
    expect(all.filter(({ body }) => body.length < 8)).toEqual([]);
  });

  test.for(all)("masks: $name, wherever it stands", (hidden) => {
    for (const [place, show] of PLACES) {
      const output = show(hidden.text);
      expect(leaks(output, hidden), `${place}: ${output}`).toBe(false);
    }
  });

  test.for(all)("keeps the text around: $name", ({ text }) => {
    const output = preview(`Use ${text}`);
    expect(output).toMatch(/^"Use /);
    expect(output).toContain("[redacted]");
  });
});

// In the order of the shapes: what the pattern needs and no more.
const SHORTEST: readonly (readonly [name: string, text: string])[] = [
  ["token with a known prefix", `sk_${HEX.slice(0, 6)}`],
  ["PEM or PGP private key, also without its end", `-----BEGIN PRIVATE ${KEY}-----`],
  ["OpenSSH key without its header", "b3BlbnNzaC1rZXktdjE"],
  [
    "Azure key, which has its mark in the middle",
    `${MIXED.slice(0, 30)}JQQJ99${MIXED.slice(0, 10)}`,
  ],
  ["MaxMind key, which has its mark at the end", `${MIXED.slice(0, 6)}_${MIXED.slice(0, 29)}_mmk`],
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
  ["password in a URL, with quotes, brackets or a space in it", 'ab://c:d"e@f'],
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
    // what looks like the tokens of the table, and is none
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUM=",
    "4b1d3f5a7c9e8d6b4a2c1e3f5a7b9c8d6e4f2a1b3c5d7e9f8a6b4c2d1e3f5a7b",
    `data:,${"A".repeat(90)}`,
    "napi_create_string_utf8 and napi_get_value_int32",
    "vcs_repository_of_the_team",
    "API-DOCUMENTATION-FOR-EVERYBODY",
    "tfp_distributions_and_layers",
    "pk_live_51H8a8Kd03jfLq92mZx7Qw41",
    // code and configuration
    "const token = getToken(user.id)",
    "password = process.env.DB_PASSWORD",
    "secretKeyRef:\n  name: db\n  key: password",
    "token:\n  - a\n  - b",
    "the password:\n  must be changed every year",
    "- name: color\n  value: correct horse",
    "a non -secret value",
    "_token_count = 12",
    "__init__ = setup",
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
