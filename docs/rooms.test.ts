import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const packages = resolve(import.meta.dirname, "../packages");

/** The rooms of each package: a room imports only rooms named before it. "." are the package's entries. */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  "core/src": [
    "shared",
    "sanitize",
    "arguments",
    "schema",
    "standard",
    "message",
    "attempts",
    "stores",
    "store-cases",
    "observe",
    "call",
    "contract",
    ".",
    "testing",
  ],
  "core/src/schema": ["document", "pattern", "facts", "walk", "union", "compile", "."],
  "core/src/standard": ["vendors", "."],
  "config/src": ["format", "files", "load", "agent", "command", ".", "testing"],
  "guardrails/src": ["shared", "state", "outcome", "attempt", "policies", ".", "testing"],
  "redis/src": [".", "testing"],
  "session/src": [
    "shared",
    "attempts",
    "context",
    "tools",
    "report",
    "accounting",
    "xml",
    "run",
    ".",
  ],
  "mcp/src": [
    "wire",
    "limits",
    "gate",
    "in-process",
    "stdio",
    "http",
    "client",
    "cli",
    ".",
    "testing",
  ],
};

describe.each(Object.entries(ORDER))("the rooms of %s", (folder, order) => {
  const root = join(packages, folder);
  const roomOf = (file: string): string => {
    const place = relative(root, file);
    return place.includes("/") ? place.slice(0, place.indexOf("/")) : ".";
  };
  const files = globSync("**/*.ts", { cwd: root, exclude: ["**/*.test.ts", "**/*.test-d.ts"] });

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
  const specifiers = readFileSync(file, "utf8").matchAll(/\bfrom "(\.[^"]+)"/g);
  return [...specifiers].map(([, specifier = ""]) => join(dirname(file), specifier));
}
