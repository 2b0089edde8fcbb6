import { describe, expect, test } from "vitest";
import { createSecrets, secretsOf } from "./secrets.ts";

const KEY = "gateway-key-of-ana-7731";

describe("a secret", () => {
  test.each([
    [`Incorrect API key provided: ${KEY}.`, "Incorrect API key provided: [redacted]."],
    [`${KEY}${KEY}`, "[redacted][redacted]"],
    ["Incorrect: gateway-key-of-a...", "Incorrect: [redacted]..."],
    ["Incorrect: gateway-key-of-a", "Incorrect: [redacted]"],
    ["The gateway is down", "The gateway is down"],
    ["ana's bearer", "ana's bearer"],
    ["short", "short"],
    ["Basic and Bearer", "Basic and Bearer"],
  ])("is not in %j", (text, expected) => {
    const { add, hide } = createSecrets();
    add([`Bearer ${KEY}`, "short"]);
    expect(hide(text)).toBe(expected);
  });

  test("is in no part of data, whose other parts stay", () => {
    const { add, hide } = createSecrets();
    add([KEY]);
    expect(hide({ a: [`x ${KEY}`, 1, null], ok: true })).toEqual({
      a: ["x [redacted]", 1, null],
      ok: true,
    });
  });

  test.each(["Bearer gateway-key\nof-ana-7731", "gateway-key of-ana-7731\r\n"])(
    "that a line break is in is hidden in one line too: %j",
    (secret) => {
      const { add, hide } = createSecrets();
      add([secret]);
      expect(hide('"gateway-key of-ana-7731" is an invalid value')).toBe(
        '"[redacted]" is an invalid value',
      );
      expect(hide("half: of-ana-7731")).toBe("half: [redacted]");
    },
  );

  test("that is a part of another leaves nothing of it", () => {
    const { add, hide } = createSecrets();
    add(["gateway-key", KEY]);
    expect(hide(`${KEY} gateway-key`)).toBe("[redacted] [redacted]");
  });
});

test("keys, headers and variables with the name of a secret are secrets", () => {
  const headers = { Authorization: "${TOKEN}", Accept: "application/json" };
  const found = secretsOf({
    providers: {
      main: { type: "openai", apiKey: "key", headers: { "X-Api-Key": "second" }, settings: {} },
      local: { type: "openai-compatible", settings: {} },
    },
    mcpServers: {
      web: { url: "http://127.0.0.1/mcp", headers },
      files: { command: "npx", args: [], env: { GITHUB_TOKEN: "third", LANG: "C", KEYMAP: "de" } },
    },
    headersOf: () => ({ ...headers, Authorization: "Bearer expanded" }),
  } as never);
  expect(found).toEqual(["key", "second", "Bearer expanded", "third"]);
});

describe("a secret in streamed text", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "of %i characters is hidden, and nothing else is lost",
    (size) => {
      const { add, stream } = createSecrets();
      add([KEY, 'quo"ted-secret-99']);
      const spelled = JSON.stringify({ key: 'quo"ted-secret-99' });
      const text = stream();
      let shown = "";
      for (const piece of piecesOf(`gate ${KEY}, gateway-key is not it; ${spelled}; gatew`, size)) {
        shown += text.take(piece);
        expect(shown).not.toContain("7731");
      }
      expect(shown + text.end()).toBe(
        'gate [redacted], gateway-key is not it; {"key":"[redacted]"}; gatew',
      );
    },
  );
});

function piecesOf(text: string, size: number): readonly string[] {
  return text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
}
