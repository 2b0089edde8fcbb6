import { exitCodeOf } from "@toolcontract/session";
import { describe, expect, test } from "vitest";
import { asksForJson, HELP, readCommandLine } from "./command-line.ts";

const run = { words: [], output: "text", isDryRun: false };

describe("a command line", () => {
  test.each([
    [["Summarise", "the notes"], { ...run, words: ["Summarise", "the notes"] }],
    [["notes.md", "in", "German"], { ...run, words: ["notes.md", "in", "German"] }],
    [["-"], { ...run, words: ["-"] }],
    [[], run],
    [["--config", "a.yml", "hi"], { ...run, config: "a.yml", words: ["hi"] }],
    [["hi", "--config=-a.yml"], { ...run, config: "-a.yml", words: ["hi"] }],
    [["--output", "json", "--dry-run"], { ...run, output: "json", isDryRun: true }],
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
    [["--output", "yaml"], "--output is text or json, not 'yaml'."],
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
    [["--output", "json", "--nonsense"], true],
    [["--output=json"], true],
    [["--output", "text"], false],
    [["--", "--output", "json"], false],
    [[], false],
  ])("%j asks for JSON: %s", (args, expected) => {
    expect(asksForJson(args)).toBe(expected);
  });
});

test("the help names every option, and fits into a terminal", () => {
  for (const name of ["config", "output", "accounting", "dry-run", "provider", "script"]) {
    expect(HELP).toContain(`  --${name} `);
  }
  expect(Math.max(...HELP.split("\n").map((line) => line.length))).toBeLessThanOrEqual(120);
});
