import { exitCodeOf } from "@toolcontract/session";
import { describe, expect, test } from "vitest";
import { formatOf, HELP, readCommandLine } from "./command-line.ts";

const run = {
  words: [],
  output: "text",
  isDryRun: false,
  level: "normal",
  isStreamed: false,
};

describe("a command line", () => {
  test.each([
    [["Summarise", "the notes"], { ...run, words: ["Summarise", "the notes"] }],
    [["notes.md", "in", "German"], { ...run, words: ["notes.md", "in", "German"] }],
    [["-"], { ...run, words: ["-"] }],
    [[], run],
    [["--config", "a.yml", "hi"], { ...run, config: "a.yml", words: ["hi"] }],
    [["hi", "--config=-a.yml"], { ...run, config: "-a.yml", words: ["hi"] }],
    [["--output", "json", "--dry-run"], { ...run, output: "json", isDryRun: true }],
    [["--model", "openai/gpt-5", "hi"], { ...run, model: "openai/gpt-5", words: ["hi"] }],
    [["--quiet"], { ...run, level: "quiet" }],
    [["--verbose", "--stream"], { ...run, level: "verbose", isStreamed: true }],
    [["--trace", "t.jsonl", "--output", "jsonl"], { ...run, trace: "t.jsonl", output: "jsonl" }],
    [["--accounting", "a.jsonl"], { ...run, accounting: "a.jsonl" }],
    [["--provider", "main"], { ...run, provider: "main" }],
    [["--script", "s.json"], { ...run, script: "s.json", provider: "scripted" }],
    [["--", "--config", "-x"], { ...run, words: ["--config", "-x"] }],
    [["--help", "hi"], { asks: "help" }],
    [["-h"], { asks: "help" }],
    [["--version", "hi"], { asks: "version" }],
    [["-v"], { asks: "version" }],
  ])("%j", (args, expected) => {
    expect(readCommandLine(args)).toEqual(expected);
  });

  test.each([
    [["--confg", "a"], "There is no option --confg. Did you mean --config?"],
    [["--zzz"], "There is no option --zzz. Words that begin with a dash go after --."],
    [["-x"], "There is no option -x. Words that begin with a dash go after --."],
    [["--config"], "--config needs a value."],
    [["--config="], "--config needs a value."],
    [["--config", "--dry-run"], "--config needs a value."],
    [["--dry-run=yes"], "--dry-run takes no value."],
    [["--output", "yaml"], "--output is text, json or jsonl, not 'yaml'."],
    [["--quiet", "--verbose"], "--quiet and --verbose are opposites"],
    [["--script", "s.json", "--provider", "main"], "--script is for the scripted provider"],
  ])("%j is wrong", (args, message) => {
    let thrown: unknown;
    try {
      readCommandLine(args);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ name: "UsageError" });
    expect(String(thrown)).toContain(message);
    expect(String(thrown)).toContain("See toolcontract-agent --help.");
    expect(exitCodeOf(thrown)).toBe(4);
  });

  test.each([
    [["--output", "json", "--nonsense"], "json"],
    [["--output=jsonl"], "jsonl"],
    [["--output", "text"], "text"],
    [["--", "--output", "json"], "text"],
    [[], "text"],
  ])("%j asks for the format %s", (args, expected) => {
    expect(formatOf(args)).toBe(expected);
  });
});

test("the help names every option, and fits into a terminal", () => {
  for (const name of [
    "config",
    "model",
    "output",
    "quiet",
    "verbose",
    "stream",
    "trace",
    "accounting",
    "dry-run",
    "provider",
    "script",
  ]) {
    expect(HELP).toContain(`  --${name} `);
  }
  expect(Math.max(...HELP.split("\n").map((line) => line.length))).toBeLessThanOrEqual(120);
});
