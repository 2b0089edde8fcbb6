import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { runCommandLine } from "./command/index.ts";
import { createProject, FILE, type Project, settings } from "./testing/project.ts";

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function surroundings({ folder }: Project) {
  const home = join(folder, "home");
  const env = { ...process.env, HOME: home, USERPROFILE: home, LIMIT: "6" };
  return { cwd: join(folder, "repo"), home, env };
}

/** Runs the command line. */
async function run(project: Project, ...args: readonly string[]): Promise<Ended> {
  const written = { stdout: "", stderr: "" };
  const code = await runCommandLine(
    args,
    {
      ...surroundings(project),
      print: (line) => void (written.stdout += `${line}\n`),
      warn: (line) => void (written.stderr += `${line}\n`),
    },
    false,
  );
  return { code, ...written };
}

/** Runs it in a process of its own. */
async function runProcess(project: Project, ...args: readonly string[]): Promise<Ended> {
  const { cwd, env } = surroundings(project);
  return new Promise((done) => {
    execFile(process.execPath, [inject("cli"), ...args], { cwd, env }, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

describe("toolcontract config check", () => {
  test("a valid configuration exits with 0 and names the files", async () => {
    const project = createProject({
      [FILE]: settings({ retry: { max_attempts: "${LIMIT}" } }),
      "home/.agent/config.yml": "tools: {}",
    });
    expect(await runProcess(project, "config", "check")).toEqual({
      code: 0,
      stdout: `Valid: .agent/config.yml, ${join("~", ".agent/config.yml")}\n`,
      stderr: "",
    });
  });

  test("an invalid one exits with 4, all faults on standard error, and no stack", async () => {
    const project = createProject({ [FILE]: settings({ scope: "run", retry: 1, rules: [] }) });
    const { code, stdout, stderr } = await runProcess(project, "config", "check");
    expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
    expect(stderr).toContain("Invalid configuration (3 errors):");
    expect(stderr).toContain("• .agent/config.yml:1:25 /tools/validation/scope (VAL-005)");
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test("a policy that is not valid exits with 4, and says where", async () => {
    const project = createProject({
      [FILE]: "tools: { guardrails: { cedar: [{ policies: pay.cedar }] } }",
      "repo/.agent/pay.cedar": "permit(principal, action, resource);\nforbid(principal);",
    });
    const { code, stderr } = await run(project, "config", "check");
    expect(code).toBe(4);
    expect(stderr).toContain("• .agent/pay.cedar:2:17 (invalid-policy): Invalid Cedar policies: ");
  });

  test("without a file the defaults apply", async () => {
    expect(await run(createProject(), "config", "check")).toEqual({
      code: 0,
      stdout: "No configuration file was found: the defaults apply.\n",
      stderr: "",
    });
  });

  test("the files as JSON", async () => {
    const project = createProject({ [FILE]: "tools: {}" });
    const { stdout } = await run(project, "config", "check", "--json");
    const path = join(project.folder, FILE);
    expect(JSON.parse(stdout)).toEqual({
      valid: true,
      files: [{ layer: "cwd", path }],
      faults: [],
    });
  });

  test("the faults as JSON", async () => {
    const project = createProject({ "repo/own.yml": "tools: [" });
    const { code, stdout } = await run(project, "config", "check", "own.yml", "--json");
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({
      valid: false,
      faults: [
        { layer: "explicit", file: join(project.folder, "repo/own.yml"), code: "invalid-yaml" },
      ],
    });
  });

  test("a key that looks misspelt is a fault", async () => {
    const project = createProject({ [FILE]: "tool: { validation: { retry: 1 } }" });
    const { code, stderr } = await run(project, "config", "check");
    expect(code).toBe(4);
    expect(stderr).toContain(`/tool (VAL-005): Unknown field 'tool'\n  Hint: rename it to "tools"`);
  });
});

describe("toolcontract config show", () => {
  test("every setting is shown with its value and where it is set", async () => {
    const project = createProject({
      [FILE]:
        "tools:\n  validation:\n    retry:\n      max_attempts: ${LIMIT}\n    workspace_root: /${LIMIT}\n",
      "home/.agent/config.yml": settings({ formatting: { style: "compact" } }),
    });
    const { code, stdout } = await run(project, "config", "show");
    const lines = stdout.split("\n").map((line) => line.replaceAll(/ +/g, " "));
    expect(code).toBe(0);
    expect(lines).toContain(
      "tools.validation.retry.max_attempts: 6 # .agent/config.yml:4, from ${LIMIT}",
    );
    expect(lines).toContain('tools.validation.formatting.style: "compact" # ~/.agent/config.yml:1');
    expect(lines).toContain("tools.validation.formatting.max_message_length: 2000 # default");
    // A string from a variable is not shown.
    expect(lines).toContain(
      'tools.validation.workspace_root: "/${LIMIT}" # .agent/config.yml:5, from /${LIMIT}',
    );
  });

  test("guardrails are shown entry by entry", async () => {
    const project = createProject({
      [FILE]: `tools:
  guardrails:
    budgets: { guardrail: 1 }
    effects: { pay: idempotent }
    locks: { pay: [cart] }
    rules:
      - { name: limit, deny: args.amount > 500, message: too much }
    cedar:
      - policies: ../pay.cedar
`,
      "repo/pay.cedar": "permit(principal, action, resource);",
    });
    const { stdout } = await run(project, "config", "show");
    const lines = stdout.split("\n").map((line) => line.replaceAll(/ +/g, " "));
    expect(lines.filter((line) => line.includes("guardrails"))).toEqual([
      "tools.guardrails.budgets.guardrail: 1 # .agent/config.yml:3",
      'tools.guardrails.effects.pay: "idempotent" # .agent/config.yml:4',
      'tools.guardrails.locks.pay: ["cart"] # .agent/config.yml:5',
      'tools.guardrails.rules.limit: "args.amount > 500" # .agent/config.yml:7',
      `tools.guardrails.cedar.cedar: ${JSON.stringify(join(project.folder, "repo/pay.cedar"))} # .agent/config.yml:9`,
    ]);
  });

  test("a setting without a default is shown without a value, and a string from a variable is not", async () => {
    const project = createProject({
      "repo/own.yml": settings({ unknown_fields: "${KIND}", workspace_root: "/srv/${LIMIT}" }),
      "repo/.env": "KIND=warn\n",
    });
    const { stdout } = await run(project, "config", "show", "own.yml");
    const lines = stdout.split("\n").map((line) => line.replaceAll(/ +/g, " "));
    expect(lines).toContain("tools.validation.max_calls_per_turn: # default");
    expect(lines).toContain('tools.validation.unknown_fields: "warn" # own.yml:1, from ${KIND}');
    expect(lines).toContain(
      'tools.validation.workspace_root: "/srv/${LIMIT}" # own.yml:1, from /srv/${LIMIT}',
    );
  });

  test("the comments of all settings are below each other", async () => {
    const { stdout } = await run(createProject(), "config", "show");
    const columns = stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.indexOf("  # "));
    expect(new Set(columns).size).toBe(1);
    expect(columns[0]).toBeGreaterThan(20);
  });

  test("as JSON", async () => {
    const project = createProject({ [FILE]: settings({ interpreter: true }) });
    const { stdout } = await run(project, "config", "show", "--json");
    const shown = JSON.parse(stdout) as readonly { readonly path: string }[];
    expect(shown.find(({ path }) => path.endsWith("interpreter"))).toMatchObject({
      value: true,
      origin: { layer: "cwd", file: join(project.folder, FILE), line: 1 },
    });
    expect(shown.find(({ path }) => path.endsWith("max_errors_shown"))).toMatchObject({
      value: 10,
      origin: "default",
    });
  });
});

describe("toolcontract config init", () => {
  test("it writes a valid file, and never overwrites one", async () => {
    const project = createProject();
    expect(await run(project, "config", "init")).toMatchObject({
      code: 0,
      stdout: "Wrote .agent/config.yml\n",
    });
    const text = readFileSync(join(project.folder, FILE), "utf8");
    expect(project.load().options).toMatchObject({ maxAttempts: 3 });
    expect(await run(project, "config", "init")).toMatchObject({
      code: 1,
      stderr: "toolcontract: .agent/config.yml already exists; it was not changed.\n",
    });
    expect(readFileSync(join(project.folder, FILE), "utf8")).toBe(text);
  });

  test("the schema is the installed one if the package is installed", async () => {
    const project = createProject({
      "node_modules/@toolcontract/config/schema.json": "{}",
    });
    await run(project, "config", "init");
    expect(readFileSync(join(project.folder, FILE), "utf8")).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/\.\.\/node_modules\/@toolcontract\/config\/schema\.json\n/,
    );
  });

  test("the schema is that beside the folder if the package is not installed", async () => {
    const project = createProject();
    await run(project, "config", "init");
    expect(readFileSync(join(project.folder, FILE), "utf8").split("\n").slice(0, 5)).toEqual([
      "# If @toolcontract/config is installed, this line makes editors complete the file:",
      "# yaml-language-server: $schema=../node_modules/@toolcontract/config/schema.json",
      "# How tool calls are validated. These are the defaults: keep the lines that you change.",
      "tools:",
      "  validation:",
    ]);
  });

  test("a folder that can't be created is one line and exit code 1", async () => {
    const project = createProject({ "repo/.agent": "a file" });
    const { code, stderr } = await run(project, "config", "init");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^toolcontract: (?:EEXIST|ENOTDIR) [^\n]*\n$/);
  });
});

describe("the command line", () => {
  test("--version and --help exit with 0", async () => {
    const project = createProject();
    expect(await run(project, "--version")).toMatchObject({
      code: 0,
      stdout: `${manifest.version}\n`,
    });
    const help = await run(project, "config", "--help");
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toMatch(/^toolcontract config <command>\n/);
  });

  test("wrong usage is one line and exit code 4", async () => {
    expect(await run(createProject(), "config", "chekc")).toEqual({
      code: 4,
      stdout: "",
      stderr: "toolcontract: there is no command of config 'chekc'. Did you mean 'check'?\n",
    });
  });
});

describe.skipIf(process.platform === "win32")("the process", () => {
  /** Runs a line of a shell, in which `cli` is the command. */
  async function inShell(line: string): Promise<Ended> {
    const project = createProject();
    const { cwd, env } = surroundings(project);
    const text = `cli() { "${process.execPath}" "${inject("cli")}" "$@"; }\n${line}`;
    return new Promise((done) => {
      execFile("sh", ["-c", text], { cwd, env }, (error, stdout, stderr) => {
        done({ code: error ? Number(error.code) : 0, stdout, stderr });
      });
    });
  }

  test("ends in silence if its reader has left", async () => {
    expect(await inShell("cli --help | true")).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test("says that its folder is gone", async () => {
    expect(await inShell("mkdir gone && cd gone && rmdir ../gone && cli --version")).toEqual({
      code: 1,
      stdout: "",
      stderr: "toolcontract: the working directory no longer exists.\n",
    });
  });
});

describe("toolcontract lint", () => {
  const schema = { type: "array", enum: ["asc", "desc"] };

  test("an error exits with 1, and the JSON says what it is", async () => {
    const project = createProject({ "repo/tools.json": JSON.stringify(schema) });
    const args = ["lint", "tools.json", "--format", "json"];
    const { code, stdout, stderr } = await runProcess(project, ...args);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({
      findings: expect.arrayContaining([
        expect.objectContaining({ rule: "no-value-passes", severity: "error", tool: "tools" }),
      ]),
      tools: [{ name: "tools", grade: "F" }],
    });
  });

  test("settings of the file hold, and a wrong one exits with 2", async () => {
    const tools = { "repo/tools.json": JSON.stringify(schema) };
    const lint = async (file: string) =>
      run(createProject({ ...tools, [FILE]: file }), "lint", "tools.json", "--format", "json");
    const rules = "no-value-passes: off, provider-breaks: off";
    expect(await lint(`lint: { rules: { ${rules} } }`)).toMatchObject({ code: 0 });
    const { code, stderr } = await lint("lint: { max_warning: 1 }");
    expect(code).toBe(2);
    expect(stderr).toContain('Hint: rename it to "max_warnings"');
  });

  test("what cannot be read exits with 2", async () => {
    const { code, stdout, stderr } = await run(createProject(), "lint", "none.json");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe("toolcontract lint: none.json cannot be read (ENOENT).\n");
  });
});
