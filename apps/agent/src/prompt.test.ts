import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { exitCodeOf } from "@toolcontract/session";
import { afterAll, describe, expect, test } from "vitest";
import { promptSource } from "./prompt.ts";

const cwd = mkdtempSync(join(tmpdir(), "agent-prompt-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
writeFileSync(
  join(cwd, "notes.md"),
  "---\nsession: { max_turns: 2 }\n---\n\n# Notes\n\nRead them.\n",
);
writeFileSync(join(cwd, "plain.md"), "Read them.\n");
writeFileSync(join(cwd, "empty.md"), "---\nsession: { max_turns: 2 }\n---\n");
writeFileSync(join(cwd, "notes.txt"), "no prompt");
mkdirSync(join(cwd, "folder.md"));
symlinkSync("loop.md", join(cwd, "loop.md"));
const LONG = `${"Read the notes. ".repeat(20)}Then write weekly.md`;

const { signal } = new AbortController();
const piped = (text: string): Readable => Readable.from([Buffer.from(text)]);
const terminal = Object.assign(new PassThrough(), { isTTY: true });

describe("a prompt", () => {
  test.each([
    ["words", ["Summarise", "the notes"], "", "Summarise the notes"],
    ["a file", ["notes.md"], "", "# Notes\n\nRead them."],
    ["a file and words", ["plain.md", "In", "German."], "", "Read them.\n\nIn German."],
    ["what is piped in", [], " Read them.\n", "Read them."],
    ["what is piped in, by name", ["-"], "Read them.\n", "Read them."],
    [
      "what is piped in, and words",
      ["-", "In", "German."],
      "Read them.\n",
      "Read them.\n\nIn German.",
    ],
    ["words, and what is piped in", ["Hi"], "more\n", "Hi\n\nmore"],
    ["a file, words and what is piped in", ["plain.md", "Hi"], "x", "Read them.\n\nHi\n\nx"],
    ["a name that is not a file", ["missing.md", "please"], "", "missing.md please"],
    ["a folder", ["folder.md"], "", "folder.md"],
    ["a sentence too long for a name", [LONG], "", LONG],
    ["a link that leads to itself", ["loop.md"], "", "loop.md"],
    ["another file", ["notes.txt"], "", "notes.txt"],
  ])("is %s", async (_, words, stdin, expected) => {
    const source = promptSource({ words, cwd, stdin: piped(stdin) });
    expect(await source.read(signal)).toBe(expected);
  });

  test.each([
    ["no words on a terminal", [], terminal],
    ["nothing piped in", [], piped(" \n")],
    ["a file of front matter alone", ["empty.md"], terminal],
    ["a blank word", [" "], terminal],
  ])("is missing: %s", async (_, words, stdin) => {
    const read = promptSource({ words, cwd, stdin }).read(signal);
    const thrown: unknown = await read.catch((error: unknown) => error);
    expect(String(thrown)).toContain("There is no prompt: write it, name a file");
    expect(exitCodeOf(thrown)).toBe(4);
  });

  test("its file configures the run", () => {
    const source = promptSource({ words: ["notes.md"], cwd, stdin: terminal });
    expect(source).toMatchObject({ file: join(cwd, "notes.md") });
    expect(source.warning).toBeUndefined();
  });

  test("a name without a file is probably a mistake", () => {
    const source = promptSource({ words: ["missing.md"], cwd, stdin: terminal });
    expect(source.file).toBeUndefined();
    expect(source.warning).toContain("There is no file missing.md");
  });

  test("is the words alone if nothing comes in a pipe that stays open", async () => {
    const open = new PassThrough();
    const source = promptSource({ words: ["Hi"], cwd, stdin: open });
    expect(await source.read(signal)).toBe("Hi");
    expect(open.destroyed).toBe(true);
  });

  test("is not waited for after Ctrl-C", async () => {
    const controller = new AbortController();
    const stdin = new PassThrough();
    const read = promptSource({ words: ["-"], cwd, stdin }).read(controller.signal);
    controller.abort(new Error("received SIGINT"));
    await expect(read).rejects.toMatchObject({ name: "AbortError" });
  });
});
