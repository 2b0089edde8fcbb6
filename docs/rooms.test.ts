import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "..");

/** The rooms of each folder: a room imports only rooms named before it. "." are the files outside of rooms. */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  "packages/core/src": [
    "shared",
    "kit",
    "message",
    "attempts",
    "observe",
    "history",
    "call",
    "wire",
    "contract",
    ".",
    "testing",
  ],
  "packages/explain/src": [
    "shared",
    "sanitize",
    "arguments",
    "schema",
    "ajv",
    "standard",
    "words",
    "findings",
    "options",
    "providers",
    ".",
    "testing",
  ],
  "packages/explain/src/schema": ["document", "pattern", "hints", "walk", "union", "compile", "."],
  "packages/explain/src/standard": ["vendors", "."],
  "packages/config/src": ["format", "files", "load", "command", ".", "testing"],
  "packages/conformance/src": [
    "shared",
    "scenarios",
    "wire",
    "play",
    "judge",
    "report",
    "run",
    "command",
    "table",
    ".",
    "testing",
  ],
  "packages/lint/src": [
    "shared",
    "proof",
    "rules",
    "grade",
    "engine",
    "input",
    "servers",
    "ask",
    "pages",
    "fix",
    "calls",
    "report",
    "command",
    ".",
  ],
  "packages/guardrails/src": [
    "shared",
    "state",
    "outcome",
    "ledger",
    "grants",
    "trace",
    "transaction",
    "policies",
    ".",
    "testing",
  ],
  "packages/session/src": [
    "shared",
    "requests",
    "context",
    "tools",
    "report",
    "accounting",
    "xml",
    "run",
    ".",
    "testing",
  ],
  "packages/stores/src": [
    "engines",
    "fallback",
    "tables",
    "sqlite",
    "redis",
    "postgres",
    "durable-object",
    "cases",
    ".",
    "testing",
  ],
  "packages/mcp/src": [
    "wire",
    "limits",
    "gate",
    "in-process",
    "stdio",
    "http",
    "client",
    "check",
    "cli",
    ".",
    "testing",
  ],
  "packages/mcp/src/gate": ["soft", "."],
  "apps/site/src": ["playground", "docs", "home", "testing"],
  "apps/site/src/playground": [
    "requests",
    "state",
    "sandboxed",
    "sandbox",
    "json",
    "pastes",
    "engine",
    "examples",
    "first",
    "worker",
    "peers",
    "tokens",
    "linting",
    "scenes",
    "editors",
    "view",
  ],
};

describe.each(Object.entries(ORDER))("the rooms of %s", (folder, order) => {
  const root = join(repository, folder);
  const roomOf = (file: string): string => {
    const place = relative(root, file);
    return place.includes("/") ? place.slice(0, place.indexOf("/")) : ".";
  };
  const files = globSync("**/*.{ts,tsx}", {
    cwd: root,
    exclude: ["**/*.test.ts", "**/*.test-d.ts"],
  });

  test("are all in the list", () => {
    expect([...new Set(files.map((file) => roomOf(join(root, file))))].toSorted()).toEqual(
      [...order].toSorted(),
    );
  });

  test("import only rooms named before them", () => {
    const upward = files.flatMap((file) => {
      const path = join(root, file);
      return importsOf(path)
        .filter((target) => target.startsWith(`${root}/`))
        .filter((target) => order.indexOf(roomOf(target)) > order.indexOf(roomOf(path)))
        .map((target) => `${file} imports ${relative(root, target)}`);
    });
    expect(upward).toEqual([]);
  });
});

function importsOf(file: string): readonly string[] {
  const specifiers = readFileSync(file, "utf8").matchAll(/\b(?:from |import\()"(\.[^"]+)"/g);
  return [...specifiers].map(([, specifier = ""]) => join(dirname(file), specifier));
}
