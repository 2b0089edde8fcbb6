import { expectLinearCost } from "@toolcontract/case-table/cost";
import { describe, expect, test } from "vitest";
import { hasSecret, holdsToken, maskText } from "./mask-text.ts";

describe("secrets behind a name", () => {
  test.for([
    ["Set-Cookie: sid=abc; Path=/", "Set-Cookie: [redacted]"],
    ["authorization: token abc", "authorization: [redacted]"],
    [
      "curl -H 'X-Api-Key: abc123' https://x.test",
      "curl -H 'X-Api-Key: [redacted]' https://x.test",
    ],
    ["curl -H \"Cookie: a='b'; c=d\" x", 'curl -H "Cookie: [redacted]" x'],
    ['{"password": 12345678, "a', '{"password": [redacted], "a'],
    ['{\\"password\\":\\"a\\\\\\"b\\",\\"n\\":1}', '{\\"password\\":\\"[redacted]\\",\\"n\\":1}'],
    ['{"secret": {"a": [1, 2]}, "n": 1', '{"secret": [redacted], "n": 1'],
    ["password: hunter2, user: bob", "password: [redacted], user: bob"],
    ["password: hunter", "password: [redacted]"],
    ["export API_KEY='a b'", "export API_KEY='[redacted]'"],
    ["A=1\\nDB_PASSWORD=x1\\n", "A=1\\nDB_PASSWORD=[redacted]"],
    ["apiKey => `abc`", "apiKey => `[redacted]`"],
    ["config['api_key'] = 'abc'", "config['api_key'] = '[redacted]'"],
    ["Password=x1;User=bob", "Password=[redacted];User=bob"],
    ["token=ab&user=x", "token=[redacted]&user=x"],
    ["login --token x1 --host db", "login --token [redacted] --host db"],
    ["passphrase: correct horse battery", "passphrase: [redacted]"],
    ["private_key: |\n  abc\n  def\nuser: bob", "private_key: [redacted]\nuser: bob"],
    ["<password>x1</password>", "<password>[redacted]</password>"],
    ["the password is x1", "the password is [redacted]"],
    ["mysql -u root -pS3cr3tPass shop", "mysql -u root -p[redacted] shop"],
    ["mysqldump --all -p'S3 cr' > x", "mysqldump --all -p'[redacted]' > x"],
    ["mysql -pS3cr3t a && mysql -pPass2", "mysql -p[redacted] a && mysql -p[redacted]"],
    ['sh -c \\"mysql -p\\"S3cr3t\\" a\\"', 'sh -c \\"mysql -p\\"[redacted]\\" a\\"'],
    ["sshpass -p S3cr3t ssh db", "sshpass -p [redacted] ssh db"],
    ["docker login -u me -p S3cr3t hub.test", "docker login -u me -p [redacted] hub.test"],
    ["redis-cli -h db -a S3cr3t get k", "redis-cli -h db -a [redacted] get k"],
    ["contraseña: hunter2, usuario: ana", "contraseña: [redacted], usuario: ana"],
    ["mot de passe : hunter2", "mot de passe : [redacted]"],
    ["das Kennwort ist hunter2", "das Kennwort ist [redacted]"],
    ["hasło=hunter2", "hasło=[redacted]"],
    ["пароль: hunter2", "пароль: [redacted]"],
    ['use the token "yxHV6gWLwm" then', 'use the token "[redacted]" then'],
  ] as const)("masks %j", ([text, expected]) => {
    expect(maskText(text).text).toBe(expected);
  });

  test.for([
    "Field 'password': must be at least 8 characters",
    "secret: out of the bag",
    "The password is too short and the token expired",
    "Use <password> to log in",
    "if (password === input.password) {",
    "auth: none",
    '"api_key":null',
    "password?: string",
    "max_tokens=4096&page_token=abc",
    'The token "expired" and the secret "santa claus 24"',
    'the file "a1b2c3d4e5"',
    "das Kennwort ist falsch",
    "la contraseña es incorrecta",
    "contraseña: está mal escrita",
    "mysql -p shop",
    "mysql -p$DB_PASSWORD shop",
    "mysql -u root shop; mkdir -p/tmp/a",
    "docker run -p 8080:80 nginx",
    "ssh -p 2222 db.test",
    "nmap -p1-1024 db.test",
  ])("leaves alone: %s", (text) => {
    expect(maskText(text)).toEqual({ text, clipped: false, changed: false });
  });
});

describe("strings that are made to be slow", () => {
  test.for([
    "mysql ",
    "mysql -",
    "7z -p' ",
    "docker login -",
    "sqlcmd -P $",
    "1",
    "4242 ",
    "4242-4242-4242-424",
    "a8Kd03jf/",
    "a",
    "ñ",
    "contraseña es ",
    "hasło: a ",
  ])("%j, repeated, is masked in linear time", async (part) => {
    await expectLinearCost((size) => {
      const text = part.repeat(Math.ceil(size / part.length));
      return () => maskText(text, text.length).text.length;
    }, 20_000);
  });
});

test.each([
  ["sk-proj-abcdefgh12345678", true, true],
  ["the key is sk-proj-abcdefgh12345678", true, true],
  [String.raw`\u0073k-proj-abcdefgh12345678`, false, true],
  ["password: hunter2", false, true],
  ["nothing of the kind", false, false],
])("%s: a token %j, a secret %j", (text, token, secret) => {
  expect([holdsToken(text), hasSecret(text)]).toEqual([token, secret]);
});
