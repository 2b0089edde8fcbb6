import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { looksRandom, showName, showPath } from "./pointer.ts";

const declares =
  (...names: readonly string[]) =>
  (name: string): boolean =>
    names.includes(name);

describe("pointers", () => {
  test.for([
    [[], "", ""],
    [["path"], "/path", "/path"],
    [["edits", 0, "path"], "/edits/0/path", "/edits/0/path"],
    [["pth"], "/pth", "/*"],
    [["edits", 3, "pth"], "/edits/3/pth", "/edits/3/*"],
    [["a/b~c"], "/a~1b~0c", "/a~1b~0c"],
    [["顧客名"], "/顧客名", "/*"],
    [["Straßen"], "/Straßen", "/*"],
    [["$filter"], "/$filter", "/*"],
    [["spec.replicas"], "/spec.replicas", "/*"],
    [["a..b"], "/(unknown field)", "/*"],
    [["10.0.0.1"], "/(unknown field)", "/*"],
    [[`a${"\u0301".repeat(30)}`], "/(unknown field)", "/*"],
    [["x/y"], "/(unknown field)", "/*"],
    [["user@example.com"], "/(unknown field)", "/*"],
    [["0"], "/(unknown field)", "/*"],
    [["__proto__"], "/__proto__", "/*"],
    [["x (VAL-001): y\n• /z"], "/(unknown field)", "/*"],
    [["a".repeat(41)], "/(unknown field)", "/*"],
    [["aB3dE5fG7hJ9kL1mN3pQ5"], "/(unknown field)", "/*"],
    [[["sk", "ant", "api03", "a8Kd03jfLq92"].join("-")], "/(unknown field)", "/*"],
  ] as const)("writes %j as %s, and as %s for logs", ([path, shown, logged]) => {
    const isDeclared = declares("path", "edits", "a/b~c");
    expect(showPath(path, isDeclared)).toEqual({ shown, logged });
  });

  test("a deep path leaves out its middle and stays short", () => {
    const path = Array.from({ length: 10_000 }, (_, index) => `level${index}`);
    const { shown, logged } = showPath(path, () => true);
    expect(shown).toMatch(/^\/level0\/level1\/.*\/\.\.\.\/level9999$/);
    expect(shown.length).toBeLessThanOrEqual(200);
    expect(logged.length).toBeLessThanOrEqual(200);
  });

  test("are bounded, on one line, and hide every undeclared name from logs", () => {
    const segment = fc.oneof(fc.string({ unit: "binary", maxLength: 100 }), fc.nat());
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 20 }), fc.boolean(), (path, declared) => {
        const { shown, logged } = showPath(path, () => declared);
        expect(shown.length).toBeLessThanOrEqual(210);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        if (!declared) expect(logged).toMatch(/^(?:\/(?:\*|\d+|\.\.\.))*$/);
      }),
    );
  });
});

describe("names", () => {
  test("a declared name is escaped and cut, and masked if it is itself a secret", () => {
    expect(showName("naïve\nkey", true)).toEqual({ shown: "naïve\\nkey", logged: "naïve\\nkey" });
    expect(showName("k".repeat(100), true).shown).toBe(`${"k".repeat(61)}...`);
    expect(showName(["ghp", "a8Kd03jfLq92mZx7Qw41"].join("_"), true).shown).toBe("[redacted]");
  });

  test("a key of a million letters costs nothing", () => {
    expect(showName("k".repeat(1_000_000), false).shown).toBe("(unknown field)");
    expect(showName("k".repeat(1_000_000), true).shown.length).toBe(64);
  });

  test.for([
    ["aB3dE5fG7hJ9kL1mN3pQ", true],
    ["d41d8cd98f00b204e9800998", true],
    ["aB3dE5fG7hJ9", true],
    ["a3d41d8cd98f", true],
    ["q7f2-w9e4-m3k8", true],
    ["KjHdSaLkJfPqWzXv", true],
    ["maximumNumberOfRetries", false],
    ["address_line_2_and_3", false],
    ["isIPv6Only", false],
    ["sha256_of_the_file", false],
    ["request_timeout_milliseconds_2", false],
    ["content", false],
  ] as const)("%s looks like a pasted key: %s", ([name, expected]) => {
    expect(looksRandom(name)).toBe(expected);
  });
});
