import { describe, expect, test } from "vitest";
import { ownLayers, type Plan, planOf as planFrom, readArguments } from "./command-line.ts";
import { FLAG_ENTRIES } from "./flags.ts";
import { flagTable, helpText } from "./help.ts";
import { readSettings } from "./settings.ts";

function planOf(argv: readonly string[], env: NodeJS.ProcessEnv): Plan {
  const given = readArguments(argv);
  return planFrom(given, ownLayers(given, env));
}

describe("a server's command", () => {
  test.each([
    ["after two dashes", ["--", "npx", "-y", "server", "--mode", "x"]],
    ["from the first word that is not a flag", ["npx", "-y", "server", "--mode", "x"]],
    ["after flags", ["--max-attempts", "5", "npx", "-y", "server", "--mode", "x"]],
    [
      "after flags and two dashes",
      ["--no-fail-open", "--mode=audit", "--", "npx", "-y", "server", "--mode", "x"],
    ],
  ])("%s keeps all its own arguments", (_, argv) => {
    expect(planOf(argv, {})).toMatchObject({
      run: "stdio",
      command: "npx",
      args: ["-y", "server", "--mode", "x"],
    });
  });

  test("may contain two dashes", () => {
    expect(planOf(["--", "run", "--", "x"], {})).toMatchObject({ args: ["--", "x"] });
  });
});

describe("settings", () => {
  test("have defaults", () => {
    expect(planOf(["x"], {})).toMatchObject({
      settings: {
        mode: "enforce",
        soft: "assist",
        "max-attempts": 3,
        "attempt-window": 600_000,
        coalesce: 100,
        "list-timeout": 5_000,
        "max-body": 4_194_304,
        grace: 10_000,
        "fail-open": true,
        host: "127.0.0.1",
        port: 8787,
        endpoint: "/mcp",
        tool: [],
        queue: [],
        "queue-of": [],
      },
    });
    expect(planOf(["x"], {}).settings).toMatchObject({
      "tool-timeout": undefined,
      "tool-response-max-bytes": undefined,
    });
  });

  test.each([
    ["32768", 32_768],
    ["32kb", 32_768],
    ["0", 0],
  ])("a size in bytes may leave out its unit: %s", (text, bytes) => {
    expect(planOf(["--tool-response-max-bytes", text, "x"], {})).toMatchObject({
      settings: { "tool-response-max-bytes": bytes },
    });
  });

  test("come from the command line, then from the environment", () => {
    const env = {
      TOOLCONTRACT_MAX_ATTEMPTS: "7",
      TOOLCONTRACT_MODE: "audit",
      TOOLCONTRACT_FAIL_OPEN: "off",
      TOOLCONTRACT_TOOL: "a=off\nb=on\n",
      TOOLCONTRACT_SOFT: "",
    };
    expect(planOf(["--mode", "assist", "x"], env)).toMatchObject({
      settings: {
        mode: "assist",
        soft: "assist",
        "max-attempts": 7,
        "fail-open": false,
        tool: ["a=off", "b=on"],
      },
    });
  });

  test("may be repeated: the last value wins, and lists keep all", () => {
    const argv = ["--mode=audit", "--mode=assist", "--tool", "a=off", "--tool", "b=off", "x"];
    expect(planOf(argv, {})).toMatchObject({
      settings: { mode: "assist", tool: ["a=off", "b=off"] },
    });
  });

  test("for HTTP require a URL", () => {
    const argv = ["--upstream", "https://a.example/mcp", "--header", "A:b", "--port=0"];
    expect(planOf(argv, {})).toMatchObject({ run: "http", settings: { header: ["A:b"], port: 0 } });
  });
});

test.each([
  [["--mode", "strict", "x"], "--mode must be enforce, assist or audit"],
  [["--mode"], "--mode needs a value: --mode enforce, assist or audit"],
  [["--port", "--", "x"], "--port needs a value: --port <port>"],
  [["--max-attempts", "0", "x"], "--max-attempts must be a whole number from 1 to 1000000"],
  [["--max-attempts", "3.5", "x"], "--max-attempts must be a whole number"],
  [["--attempt-window", "soon", "x"], "--attempt-window must be a time such as 500ms, 5s or 10m"],
  [["--grace", "999999999h", "x"], "--grace must be a time"],
  [["--max-body", "4tb", "x"], "--max-body must be a size such as 512kb or 4mb"],
  [["--fail-open=maybe", "x"], "--fail-open must be on or off"],
  [["--tool", "add", "x"], "--tool must be <name>=off"],
  [["--attempt-key", "user", "x"], "--attempt-key must be auto, header:<name> or meta:<key>"],
  [["--tool-timeout", "30", "x"], "--tool-timeout must be a time such as 500ms, 5s or 10m"],
  [["--tool-response-max-bytes", "big", "x"], "must be a size such as 32768 or 32kb"],
  [["--queue", "browser", "x"], "--queue must be <queue>=<n>, such as browser=2"],
  [["--queue", "browser=0", "x"], "--queue must be <queue>=<n>"],
  [["--queue-of", "open_page", "x"], "--queue-of must be <tool>=<queue>, such as"],
  [
    ["--queue", "browser=2", "--queue-of", "open_page=nope", "x"],
    'queue "nope" is not defined; known queues: default, browser; add --queue nope=<n>',
  ],
  [["--unwrap-strings", "true", "--", "x"], "--unwrap-strings=true"],
  [["--fail-open", "off", "x"], "--fail-open=off"],
  [["--no-fail-open=false", "x"], "--no-fail-open takes no value"],
  [["--max-attemps", "3", "x"], "there is no option --max-attemps"],
  [["-p", "3", "x"], "there is no option -p"],
  [[], "name the server to guard: toolcontract-mcp -- <command>"],
  [["--"], "name the server to guard"],
  [["--upstream", "https://a.example", "--", "x"], "not both"],
  [["--port", "1", "x"], "--port belongs to an HTTP proxy: pass --upstream <url>"],
  [["--upstream", "a.example"], "--upstream must be a URL such as https://example.com/mcp"],
  [["--upstream", "https://["], "--upstream must be a URL such as https://example.com/mcp"],
])("%j is a usage error that says what to do", (argv, message) => {
  expect(() => planOf(argv, {})).toThrow(message);
});

test("an invalid variable is named but its value is not shown, because it may be a credential", () => {
  const env = { TOOLCONTRACT_HEADER: "sk-secret" };
  expect(() => planOf(["--upstream", "https://a.example"], env)).toThrow(
    /^TOOLCONTRACT_HEADER must be "<name>: <value>"$/,
  );
});

test("the help lists every flag, at most 100 columns wide", () => {
  const help = helpText();
  for (const [name] of FLAG_ENTRIES) expect(help).toContain(`  --${name}`);
  expect(Math.max(...help.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
});

test("the table for the README has a row for each flag", () => {
  expect(flagTable().split("\n")).toHaveLength(FLAG_ENTRIES.length + 2);
  expect(flagTable()).toContain("| `--max-attempts <n>` | `TOOLCONTRACT_MAX_ATTEMPTS` | `3` |");
});

describe("a variable in a header", () => {
  const headersOf = (argv: readonly string[], env: NodeJS.ProcessEnv): readonly string[] =>
    readSettings(ownLayers(readArguments(argv), env)).header;

  test.each([
    ["by the flag", ["--header", "Authorization: Bearer ${TOKEN}"], {}],
    ["by the variable", [], { TOOLCONTRACT_HEADER: "Authorization: Bearer ${TOKEN}" }],
  ])("is put in its place, %s", (_, argv, env) => {
    expect(headersOf(argv, { ...env, TOKEN: "t-1" })).toEqual(["Authorization: Bearer t-1"]);
  });

  test("that does not exist is named, without the header's value", () => {
    expect(() => headersOf(["--header", "X-Key: secret ${NO_SUCH}"], {})).toThrow(
      "--header X-Key: there is no variable NO_SUCH",
    );
  });
});
