import { chmodSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { ToolContractError } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { ConfigError, showFilePath } from "./load/index.ts";
import { createProject, FILE } from "./testing/project.ts";

const WRONG = `tools:
  validation:
    retry:
      max_attempts: "3"
      scop: run
    formatting:
      style: compcat
      max_message_length: 100
    unknown_field: warn
`;

describe("a wrong file is one error with every fault", () => {
  test("file, line, column, path, what was expected, and the fix, in the contract's words", () => {
    const { error } = createProject({ [FILE]: WRONG });
    expect(error().message).toBe(`Invalid configuration (5 errors):

• .agent/config.yml:4:21 /tools/validation/retry/max_attempts (VAL-002): Type mismatch: expected integer, got string
  Expected: integer at least 1
  Actual: "3"
  Hint: write 3 without quotes
• .agent/config.yml:5:7 /tools/validation/retry/scop (VAL-005): Unknown field 'scop'
  Expected: only max_attempts, max_failures, scope, on_blocked
  Hint: rename it to "scope"
• .agent/config.yml:7:14 /tools/validation/formatting/style (VAL-008): Invalid enum value
  Expected: one of "standard", "compact"
  Actual: "compcat"
  Hint: use "compact"
• .agent/config.yml:8:27 /tools/validation/formatting/max_message_length (VAL-003): Value out of range
  Expected: integer at least 400
  Actual: 100
• .agent/config.yml:9:5 /tools/validation/unknown_field (VAL-005): Unknown field 'unknown_field'
  Expected: only unknown_fields, unwrap_strings, retry, formatting, mode and 8 more
  Hint: rename it to "unknown_fields"`);
  });

  test("it is a ToolContractError with the faults as data", () => {
    const { error, folder } = createProject({ [FILE]: WRONG });
    const thrown = error();
    expect(ToolContractError.isInstance(thrown)).toBe(true);
    expect(thrown).toMatchObject({ name: "ConfigError" });
    expect(thrown.faults[1]).toEqual({
      layer: "cwd",
      file: join(folder, FILE),
      line: 5,
      column: 7,
      path: "/tools/validation/retry/scop",
      code: "VAL-005",
      message: "Unknown field 'scop'",
      expected: "only max_attempts, max_failures, scope, on_blocked",
      hint: 'rename it to "scope"',
    });
  });

  test("it has the faults of all files, highest precedence first", () => {
    const { error, folder } = createProject({
      "home/.agent/config.yml": WRONG,
      "repo/.agent/config.yml": "tools: [",
      "repo/app/.agent/config.yml": "tools: { validation: { retry: 3 } }",
    });
    const { faults } = error({ cwd: join(folder, "repo/app") });
    expect(faults.map(({ layer }) => layer)).toEqual(["cwd", "project", ...Array(5).fill("home")]);
  });
});

interface Row {
  readonly name: string;
  readonly text: string;
  readonly faults: readonly object[];
}

const validation = (text: string): string => `tools:\n  validation:\n    ${text}\n`;

const ROWS: readonly Row[] = [
  {
    name: "the file is a list",
    text: "- a\n- b\n",
    faults: [
      {
        line: 1,
        column: 1,
        path: "",
        code: "VAL-002",
        expected: expect.stringMatching(/^null or object with tools, lint \(/),
      },
    ],
  },
  {
    name: "the file is a string, which is not quoted",
    text: "hunter2",
    faults: [{ line: 1, column: 1, path: "", code: "VAL-002" }],
  },
  {
    name: "the file is a string that looks like JSON",
    text: `'{"tools":{}}'`,
    faults: [{ path: "", code: "VAL-002" }],
  },
  { name: "tools is a list", text: "tools:\n  - 1\n", faults: [{ line: 2, path: "/tools" }] },
  {
    name: "a section is a number",
    text: validation("retry: 3"),
    faults: [{ line: 3, column: 12, path: "/tools/validation/retry", code: "VAL-002" }],
  },
  {
    name: "a setting without a value",
    text: validation("repair_json:"),
    faults: [{ line: 3, code: "VAL-002", hint: "leave it out" }],
  },
  {
    name: "a name as in code, in the wrong section",
    text: validation("maxLength: 500"),
    faults: [{ hint: "the key is tools.validation.formatting.max_message_length" }],
  },
  {
    name: "the right name in the wrong section",
    text: validation("max_attempts: 3"),
    faults: [{ hint: "the key is tools.validation.retry.max_attempts" }],
  },
  {
    name: "an option that is a function",
    text: validation("on_escalation: notify"),
    faults: [
      { hint: "pass `onEscalation` to createContract in code: functions can't be set in a file" },
    ],
  },
  {
    name: "an option of guardrails that is set in code",
    text: "tools: { guardrails: { state_changes: 1 } }",
    faults: [{ hint: "pass `stateChanges` to guardrailsFrom in code" }],
  },
  {
    name: "a key deep in guardrails that is nothing elsewhere",
    text: "tools: { guardrails: { budgets: { store: 1 } } }",
    faults: [{ path: "/tools/guardrails/budgets/store", code: "VAL-005" }],
  },
  {
    name: "guardrails among the options of the contract",
    text: validation("guardrails: {}"),
    faults: [{ hint: "the key is tools.guardrails" }],
  },
  {
    name: "a setting of the linter",
    text: "lint: { max_depth: 0 }",
    faults: [{ path: "/lint/max_depth", code: "VAL-003", actual: "0" }],
  },
  {
    name: "a key that is not shown still has its position",
    text: validation("interpreter: true\n    'a b\u0007': 1"),
    faults: [{ line: 4, column: 5, path: "/tools/validation/(unknown field)", code: "VAL-005" }],
  },
  {
    name: "a key that is a list",
    text: validation("? [a]\n    : 1"),
    faults: [{ line: 3, column: 7, path: "/tools/validation/(unknown field)", code: "VAL-005" }],
  },
  {
    name: "a key named __proto__ is data",
    text: validation("__proto__: { retry: 1 }"),
    faults: [{ line: 3, column: 5, code: "VAL-005" }],
  },
  {
    name: "aliases that repeat without end",
    text: validation("retry: &a { x: *a }"),
    faults: [{ code: "invalid-yaml", message: expect.stringContaining("aliases") }],
  },
  {
    name: "not a number",
    text: validation("retry: { max_attempts: .nan }"),
    faults: [{ code: "VAL-002", path: "/tools/validation/retry/max_attempts" }],
  },
  {
    name: "half an attempt",
    text: validation("retry: { max_attempts: 2.5 }"),
    faults: [{ code: "VAL-002", actual: "2.5" }],
  },
  {
    name: "not a boolean of YAML 1.2",
    text: "%YAML 1.1\n---\n" + validation("interpreter: yes"),
    faults: [{ code: "VAL-002", line: 5 }],
  },
  {
    name: "an open bracket",
    text: validation("retry: { max_attempts: 3"),
    faults: [{ line: 4, code: "invalid-yaml" }],
  },
  {
    name: "a repeated key and a tab, both reported",
    text: "tools:\n  validation:\n    interpreter: true\n    interpreter: false\nx:\n\ty: 1\n",
    faults: [
      { line: 4, column: 5, code: "invalid-yaml", hint: "keep one of them" },
      { line: 6, column: 1, code: "invalid-yaml", hint: "indent with spaces" },
    ],
  },
  {
    name: "two documents",
    text: "tools: {}\n---\ntools: {}\n",
    faults: [{ code: "invalid-yaml", hint: "remove the line --- and what follows it" }],
  },
];

describe("faults are in the order of the file", () => {
  test("from left to right, whatever they are", () => {
    const text = "tools: { validation: { interpreter: '${X}', retry: 3 } }\nvalidation: {}\n";
    const { faults } = createProject({ [FILE]: text }).error();
    expect(faults.map(({ line, column }) => `${line}:${column}`)).toEqual(["1:37", "1:52", "2:1"]);
  });

  test("file by file", () => {
    const { error } = createProject({
      [FILE]: `tools:
  guardrails: { cedar: [{ policies: ../pay.cedar }] }
  validation: { retry: 3, interpreter: "\${X}" }
`,
      "repo/pay.cedar": "permit(principal);",
      "home/.agent/config.yml": "tools: 1",
    });
    expect(error().faults.map(({ file, line }) => `${basename(file)}:${line}`)).toEqual([
      "config.yml:3",
      "config.yml:3",
      "pay.cedar:1",
      "config.yml:1",
    ]);
  });
});

describe("what a fault shows of its file", () => {
  test.each<[what: string, path: string, home: string | undefined, shown: string]>([
    ["below the working directory", "/app/a/b.yml", "/user", "a/b.yml"],
    ["below the home directory", "/user/.agent/b.yml", "/user", "~/.agent/b.yml"],
    ["below both", "/app/a/b.yml", "/", "a/b.yml"],
    ["elsewhere", "/etc/b.yml", "/user", "/etc/b.yml"],
    ["elsewhere, without a home directory", "/etc/b.yml", undefined, "/etc/b.yml"],
    ["beside them", "/apps/b.yml", "/use", "/apps/b.yml"],
    ["that are them", "/app", "/user", "/app"],
    ["with signs that a terminal reads", "/app/a\u001B[2J\n.yml", undefined, "a?[2J?.yml"],
  ])("of files %s", (_, path, home, shown) => {
    expect(showFilePath(path, "/app", home).replaceAll("\\", "/")).toBe(shown);
  });
});

describe("faults", () => {
  test.each(ROWS)("$name", ({ text, faults }) => {
    const { error } = createProject({ [FILE]: text });
    expect(error().faults).toMatchObject(faults);
    expect(error().faults).toHaveLength(faults.length);
  });

  test("brackets nested 20,000 deep are reported and do not crash", () => {
    const deep = "[".repeat(20_000);
    const { error } = createProject({ [FILE]: `tools: { validation: ${deep} }` });
    expect(error().faults[0]).toMatchObject({ code: "invalid-yaml" });
  });
});

describe("files that can't be read", () => {
  test("a missing explicit file is an error, not a default", () => {
    const { error } = createProject();
    expect(error({ path: "nope.yml" }).message).toContain(
      "• nope.yml:1:1 (unreadable-file): The file can't be read: there is no such file",
    );
  });

  test("a folder in place of the file", () => {
    const { error, folder } = createProject();
    mkdirSync(join(folder, FILE), { recursive: true });
    expect(error().message).toContain("it is not a file");
  });

  test.each([
    ["bytes that are not text", Buffer.from([0xff, 0xfe, 0x00]), "it is not UTF-8 text"],
    ["a huge file", Buffer.alloc(1024 * 1024 + 1, "#"), "it is larger than 1 MiB"],
  ])("%s", (_, bytes, problem) => {
    const { error, write } = createProject();
    write(FILE, bytes);
    expect(error().message).toContain(problem);
  });

  test.skipIf(process.getuid?.() === 0)("a file that this user may not read", () => {
    const { error, write } = createProject();
    chmodSync(write(FILE, "tools: {}"), 0o000);
    expect(error()).toBeInstanceOf(ConfigError);
    expect(error().message).toContain("this user may not read it");
  });
});

describe("keys that look as if they were meant to be read", () => {
  test.each([
    ["tool: { validation: {} }", "/tool", 'rename it to "tools"'],
    ["tools: { validations: {} }", "/tools/validations", 'rename it to "validation"'],
    ["validation: {}", "/validation", "move it below tools"],
    ["validaton: {}", "/validaton", "the key is tools.validation"],
    ["guardrail: {}", "/guardrail", "the key is tools.guardrails"],
  ])("%s", (text, path, hint) => {
    const { error } = createProject({ [FILE]: text });
    expect(error().faults).toMatchObject([{ code: "VAL-005", path, hint }]);
  });

  test("are an error in a file of others that was named for this program", () => {
    const { load, error, write } = createProject({});
    const path = write("repo/own.yml", "servers: {}\nvalidator: {}\n");
    expect(error({ path }).message).toBe(`Invalid configuration (2 errors):

• own.yml:1:1 /servers (VAL-005): Unknown field 'servers'
  Expected: only tools, lint
• own.yml:2:1 /validator (VAL-005): Unknown field 'validator'
  Expected: only tools, lint`);
    write("repo/own.yml", "servers: {}\ntools: {}\n");
    expect(load({ path }).options).toEqual({});
  });
});
