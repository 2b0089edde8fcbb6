import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createAgentProject } from "./testing/agent-project.ts";
import { splitFrontMatter } from "./front-matter.ts";

describe("splitFrontMatter", () => {
  test.each([
    ["none", "Hello\n---\nx", undefined, "Hello\n---\nx"],
    ["an empty file", "", undefined, ""],
    ["front matter and a prompt", "---\na: 1\n---\nHello\n", "a: 1\n", "Hello\n"],
    ["a line of dashes in the prompt", "---\na: 1\n---\nx\n---\ny", "a: 1\n", "x\n---\ny"],
    ["empty front matter", "---\n---\nHello", "", "Hello"],
    ["nothing after it", "---\na: 1\n---", "a: 1\n", ""],
    ["Windows lines", "---\r\na: 1\r\n---\r\nHello\r\n", "a: 1\r\n", "Hello\r\n"],
    ["a byte order mark", "\uFEFF---\na: 1\n---\nHello", "a: 1\n", "Hello"],
    ["a byte order mark and no front matter", "\uFEFFHello", undefined, "Hello"],
    ["spaces after the dashes", "--- \na: 1\n---\t\nHello", "a: 1\n", "Hello"],
    ["more dashes are text", "----\na: 1\n---\nHello", undefined, "----\na: 1\n---\nHello"],
    ["dashes inside a line", "---\na: ---\nb: x ---\n---\nHello", "a: ---\nb: x ---\n", "Hello"],
    ["indented dashes", "---\na: |\n  ---\n---\nHello", "a: |\n  ---\n", "Hello"],
    ["an empty line before it", "\n---\na: 1\n---\n", undefined, "\n---\na: 1\n---\n"],
    ["never closed", "---\na: 1\n", undefined, "---\na: 1\n"],
    ["only the opening", "---", undefined, "---"],
  ])("%s", (_, text, frontMatter, body) => {
    expect(splitFrontMatter(text)).toEqual(
      frontMatter === undefined ? { body } : { frontMatter, body },
    );
  });

  test("nothing is lost of any text", () => {
    const line = fc.oneof(fc.constantFrom("---", "--- ", "a: 1", "", "\r"), fc.string());
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const text = lines.join("\n");
        const { frontMatter, body } = splitFrontMatter(text);
        if (frontMatter === undefined) expect(body).toBe(text.replace(/^\uFEFF/, ""));
        else expect(text.endsWith(body) && text.includes(frontMatter)).toBe(true);
      }),
    );
  });
});

describe("front matter is the highest layer", () => {
  const prompt = (text: string) => {
    const project = createAgentProject();
    const promptFile = project.write("project/ask.md", text);
    return { load: () => project.load({ promptFile }), error: () => project.error({ promptFile }) };
  };

  test("the file is one of those that were read only if it has front matter", () => {
    expect(prompt("---\nsession: { max_turns: 2 }\n---\nAsk.").load()).toMatchObject({
      session: { maxTurns: 2 },
      files: [{ layer: "prompt" }],
    });
    expect(prompt("---\n---\nAsk.").load()).toMatchObject({ files: [{ layer: "prompt" }] });
    expect(prompt("Ask.").load().files).toEqual([]);
  });

  test("faults have their lines in the file", () => {
    const text = "---\r\ntitle: x\r\nsession:\r\n  max_turn: 2\r\n---\r\nAsk.";
    expect(prompt(text).error().message).toContain("• ask.md:4:3 /session/max_turn (VAL-005)");
    expect(prompt(`\uFEFF${text}`).error().faults).toMatchObject([{ line: 4, column: 3 }]);
    expect(prompt("---\nsession: [\n---\nAsk.").error().faults).toMatchObject([
      { layer: "prompt", code: "invalid-yaml", line: 3 },
    ]);
  });

  test("front matter without an end is a fault", () => {
    expect(prompt("---\nsession: { max_turns: 2 }\n\nAsk.").error().message).toBe(
      `Invalid configuration (1 error):

• ask.md:1:1 (open-front-matter): The front matter has no end
  Hint: write --- on a line of its own after it`,
    );
  });

  test("a prompt that can't be read is a fault", () => {
    const { error } = createAgentProject();
    expect(error({ promptFile: "nope.md" }).message).toContain(
      "• nope.md:1:1 (unreadable-file): The file can't be read: there is no such file",
    );
  });
});
