import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ConfigError, MissingVariableError } from "./load/index.ts";
import { createProject, FILE } from "./testing/project.ts";

const below = (text: string): string => `tools:\n  validation:\n    ${text}\n`;

describe("${VARIABLE}", () => {
  test.each([
    ["a number", 'retry: { max_attempts: "${N}" }', { N: "4" }, { maxAttempts: 4 }],
    [
      "a number without quotes",
      "retry:\n      max_attempts: ${N}",
      { N: " 4 " },
      { maxAttempts: 4 },
    ],
    ["a boolean", "interpreter: ${B}", { B: "True" }, { interpreter: true }],
    ["a value of an enum", "unknown_fields: ${U}", { U: "warn" }, { unknownFields: "warn" }],
    [
      "part of a string",
      "workspace_root: ${A}/x/${B}",
      { A: "/a", B: "b" },
      { workspaceRoot: "/a/x/b" },
    ],
    ["digits for a string", "workspace_root: /${A}", { A: "1" }, { workspaceRoot: "/1" }],
    ["no second expansion", "workspace_root: /${A}", { A: "${B}" }, { workspaceRoot: "/${B}" }],
    [
      "not a variable",
      "workspace_root: /${parameters.foo}/${}/$X",
      {},
      { workspaceRoot: "/${parameters.foo}/${}/$X" },
    ],
  ])("%s", (_, text, env, options) => {
    expect(createProject({ [FILE]: below(text) }).load({ env }).options).toEqual(options);
  });

  test("the layer's env file comes before the environment, for its own layer only", () => {
    const { load } = createProject({
      [FILE]: below("retry:\n      max_attempts: ${N}"),
      "repo/.agent/.env": "# ours\r\nN=5\r\n",
      "home/.agent/config.yml": below("formatting:\n      max_errors_shown: ${N}"),
    });
    expect(load({ env: { N: "9" } }).options).toEqual({ maxAttempts: 5, format: { maxErrors: 9 } });
  });

  test("an empty value in an env file stays empty, and is not taken from the environment", () => {
    const { error } = createProject({
      [FILE]: below("unknown_fields: ${U}"),
      "repo/.agent/.env": "U=",
    });
    expect(error({ env: { U: "warn" } }).faults).toMatchObject([{ code: "VAL-008" }]);
  });

  test("a folder named .env, as Python creates one, is ignored", () => {
    const { load, folder } = createProject({ [FILE]: below("unknown_fields: ${U}") });
    mkdirSync(join(folder, "repo/.agent/.env"));
    expect(load({ env: { U: "warn" } }).options).toEqual({ unknownFields: "warn" });
  });

  test("an env file that can't be read is reported", () => {
    const { error, write } = createProject({ [FILE]: below("unknown_fields: ${U}") });
    write("repo/.agent/.env", Buffer.from([0xff]));
    expect(error({ env: { U: "warn" } }).message).toContain(
      "• .agent/.env:1:1 (unreadable-file): The file can't be read: it is not UTF-8 text",
    );
  });

  test("the members of Object.prototype are not variables", () => {
    const { error } = createProject({
      [FILE]: below("unknown_fields: ${constructor}${__proto__}"),
    });
    expect(error().faults.map(({ code }) => code)).toEqual([
      "missing-variable",
      "missing-variable",
    ]);
  });
});

describe("variables that are not set anywhere", () => {
  test("one MissingVariableError names the layer, every variable and all other faults", () => {
    const { error } = createProject({
      "home/.agent/config.yml": below(
        "retry:\n      max_attempts: ${MAX}\n      scope: ${SCOPE}\n    interpreter: 3",
      ),
    });
    const thrown = error();
    expect(thrown).toBeInstanceOf(MissingVariableError);
    expect(thrown).toBeInstanceOf(ConfigError);
    expect(thrown.message).toContain(
      `:4:21 /tools/validation/retry/max_attempts (missing-variable): Variable 'MAX' is not set for the home layer
  Expected: MAX in the .env file beside it or in the environment`,
    );
    expect(thrown.faults.map(({ code, line }) => [code, line])).toEqual([
      ["missing-variable", 4],
      ["missing-variable", 5],
      ["VAL-002", 6],
    ]);
  });

  test("if no variable is missing, the error is not a MissingVariableError", () => {
    expect(createProject({ [FILE]: "tools: 1" }).error()).not.toBeInstanceOf(MissingVariableError);
  });
});

describe("the value of a variable is never repeated", () => {
  const SECRET = "correct horse battery staple 4711";
  test.each([
    'retry: { max_attempts: "${SECRET}" }',
    'retry: { scope: "${SECRET}" }',
    'formatting: "${SECRET}"',
    "interpreter: ${SECRET}",
    "unknown_fields: x${SECRET}",
    "unknown_key: ${SECRET}",
    'rules: [{ a: "${SECRET}" }]',
  ])("%s", (text) => {
    const thrown = createProject({ [FILE]: below(text) }).error({ env: { SECRET } });
    const shown = `${thrown.message}\n${thrown.stack}\n${JSON.stringify(thrown.faults)}`;
    for (const word of SECRET.split(" ")) expect(shown).not.toContain(word);
  });

  test("a wrong value from a variable shows the string in the file and names the variable to change", () => {
    const { error } = createProject({ [FILE]: below("retry:\n      max_attempts: ${N}") });
    expect(error({ env: { N: "0" } }).faults).toMatchObject([
      { code: "VAL-003", actual: '"${N}"', hint: "change the variable N" },
    ]);
  });

  test("a secret in the file itself is masked, and syntax errors quote nothing", () => {
    const key = `sk-ant-api03-${"a1B2".repeat(20)}`;
    const wrong = createProject({ [FILE]: below(`interpreter: ${key}`) }).error();
    const broken = createProject({
      [FILE]: `a: "${key}\nb: [${key}: {{ ${key} "\\q${key}`,
    }).error();
    expect(wrong.message + broken.message).not.toContain("a1B2");
  });
});
