import { describe, expect, test } from "vitest";
import { maskText } from "./mask-text.ts";

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
  ])("leaves alone: %s", (text) => {
    expect(maskText(text)).toEqual({ text, clipped: false, changed: false });
  });
});
