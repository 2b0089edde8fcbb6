import fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { ConfigError } from "./config-fault.ts";
import { FILE_OPTIONS } from "../format/index.ts";
import { createProject, FILE } from "../testing/project.ts";

const key = fc.oneof(
  fc.constantFrom(
    "tools",
    "validation",
    "<<",
    "__proto__",
    ...FILE_OPTIONS.flatMap(({ keys }) => keys),
  ),
  fc.string({ unit: "binary", maxLength: 12 }),
);
const scalar = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom("${A}", "${B}x", "*a", "!!set", "2001-01-01", "0o17", "~"),
  fc.double(),
  fc.bigInt(),
  fc.boolean(),
  fc.constant(null),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: "small" },
    scalar,
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(key, tie("tree"), { maxKeys: 4 }),
  ),
}));
const validation = tree.map((value) => ({ tools: { validation: value } }));

/** Text that is nearly YAML. */
const nearly = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "tools",
        "validation",
        ":",
        ": ",
        "\n",
        "  ",
        "\t",
        "{",
        "}",
        "[",
        "]",
        "- ",
        "? ",
        "|\n",
        ">\n",
        "&a ",
        "*a",
        "!!binary ",
        "%YAML 1.1\n---\n",
        "'",
        '"',
        "\\q",
        "#",
        "<<: *a",
        "\uFEFF",
        "\u0000",
        ",",
      ),
      fc.string({ unit: "binary", maxLength: 4 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));

const texts = fc.oneof(
  tree.map((value) => stringify(value)),
  validation.map((value) => stringify(value)),
  nearly,
  nearly.map((text) => `tools:\n  validation:\n    retry: ${text}`),
);

test("for any file, loading returns options or a ConfigError with positions in the file", () => {
  const { write, load } = createProject();
  fc.assert(
    fc.property(texts, (text) => {
      write(FILE, text);
      try {
        const { options } = load({ env: { A: "3", B: "\u0000" } });
        expect(typeof options).toBe("object");
      } catch (thrown) {
        if (!(thrown instanceof ConfigError)) throw thrown;
        const lines = text.split(/\r\n|\n/).length;
        for (const { line, column, message, path } of thrown.faults) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines);
          expect(column).toBeGreaterThanOrEqual(1);
          expect(message).toMatch(/^[^\n]{3,200}$/);
          expect(path).toMatch(/^(?:\/(?:tools|validation|guardrails)[^\n]*)?$/);
        }
      }
    }),
    { numRuns: 600 },
  );
});
