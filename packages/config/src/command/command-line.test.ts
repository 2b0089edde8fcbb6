import { describe, expect, test } from "vitest";
import { readCommandLine, UsageError } from "./command-line.ts";

const words = (line: string): readonly string[] => line.split(" ").filter((word) => word !== "");

describe("a command line", () => {
  test.each([
    ["", { command: "help" }],
    ["config", { command: "help" }],
    ["-h", { command: "help" }],
    ["config check -v", { command: "version" }],
    ["config check", { command: "check", json: false }],
    ["config check a.yml --json", { command: "check", path: "a.yml", json: true }],
    ["--json config show", { command: "show", json: true }],
    ["config check -- --json", { command: "check", path: "--json", json: false }],
    ["config init", { command: "init", json: false }],
  ])("%s", (line, asked) => {
    expect(readCommandLine(words(line))).toEqual(asked);
  });
});

describe("wrong usage says what to do instead", () => {
  test.each([
    ["confg check", "there is no command 'confg'. Did you mean 'config'?"],
    ["config lint", "there is no command of config 'lint'. There is check, show, init."],
    ["config check --jsn", "there is no option '--jsn'. Did you mean '--json'?"],
    ["config check -x", "there is no option '-x'. There is --help, --version, --json."],
    ["config check --json=yes", "--json takes no value."],
    ["config check a b", "'b' is one word too many."],
    ["config init here", "'here' is one word too many."],
    ["config init --json", "init has no result to print as JSON."],
  ])("%s", (line, message) => {
    expect(() => readCommandLine(words(line))).toThrow(new UsageError(message));
  });
});
