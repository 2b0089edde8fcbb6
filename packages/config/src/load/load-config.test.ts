import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createContract, ToolContractError } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { createProject, FILE, settings } from "../testing/project.ts";
import { loadConfig } from "./load-config.ts";

const SPEC = `tools:
  validation:
    retry:
      max_attempts: 5
      
    formatting:
      max_message_length: 1500
      max_errors_shown: 7
      max_value_preview: 40
`;

describe("one file", () => {
  test("the configuration is read from .agent/config.yml, in the form of the spec", () => {
    const { load, folder } = createProject({ [FILE]: SPEC });
    const { options, files, origins } = load();
    expect(options).toEqual({
      maxAttempts: 5,
      format: { maxLength: 1500, maxErrors: 7, maxValuePreview: 40 },
    });
    expect(files).toEqual([{ layer: "cwd", path: join(folder, FILE) }]);
    expect(origins["/tools/validation/retry/max_attempts"]).toEqual({
      layer: "cwd",
      file: join(folder, FILE),
      line: 4,
      column: 21,
    });
    expect(createContract(options).settings.maxAttempts).toBe(5);
  });

  test.each([
    ["no file", undefined],
    ["an empty file", ""],
    ["a file of comments", "# nothing yet\n"],
    ["a file for others only", "mcpServers: { git: { command: git } }\ntools: { other: [1] }"],
    [
      "sections whose keys are commented out",
      "tools:\n  validation:\n    retry:\n    # scope: run\n",
    ],
    ["a byte order mark", "\uFEFFtools:\n  validation:\n"],
  ])("%s leaves all defaults to core", (_, text) => {
    const { load } = createProject(text === undefined ? {} : { [FILE]: text });
    expect(load().options).toEqual({});
  });

  test("keys beside tools.validation belong to others: neither validated nor expanded", () => {
    const { load } = createProject({
      [FILE]: `
mcpServers: { github: { env: { TOKEN: "\${GITHUB_TOKEN}" }, headers: { A: "\${NOPE}" } } }
rest: { url: "https://example.com/\${parameters.foo}" }
tools:
  queues: !custom { concurrent: "\${NOPE}" }
  mode: many
  retry: { attempts: 3 }
  validation: { unknown_fields: warn }
merged: { "<<": *nowhere }
`,
    });
    expect(load()).toMatchObject({ options: { unknownFields: "warn" } });
  });

  const FLAG = "it is the flag --mode of the proxy";

  test.each([
    ["retry: { max_attempts: 4 }", "retry", "the key is tools.validation.retry"],
    [
      "formatting: { report_advisories: true }",
      "formatting",
      "the key is tools.validation.formatting",
    ],
    ["mode: observe", "mode", "the key is tools.validation.mode"],
    ["mode: audit", "mode", FLAG],
    ["mode: assist", "mode", FLAG],
  ])("%s beside tools.validation is misplaced", (written, key, hint) => {
    for (const more of ["", ", guardrails: {}"]) {
      const { load } = createProject({ [FILE]: `tools: { ${written}, validation: {}${more} }` });
      expect(load).toThrow(`/tools/${key} (VAL-005): Unknown field '${key}'\n  Hint: ${hint}`);
    }
  });

  test.each(["mode: audit", "mode: assist"])("%s is the proxy's", (written) => {
    const { load } = createProject({ [FILE]: `tools: { validation: { ${written} } }` });
    expect(load).toThrow(`\n  Hint: ${FLAG}`);
  });

  test.each([
    "retry: { attempts: 3 }",
    "retry: { scope: run }",
    "retry: 3",
    "mode: many",
    "mode: { audit: 1 }",
    "queues: { default: { concurrent: 1 } }",
    "formatting: *nowhere",
  ])("%s beside tools.validation belongs to others", (written) => {
    const { load } = createProject({ [FILE]: `tools: { ${written}, validation: {} }` });
    expect(load().options).toEqual({});
  });

  test.each(["retry: { max_attempts: 4 }", "mode: audit"])(
    "%s alone belongs to others",
    (written) => {
      const { load } = createProject({ [FILE]: `tools: { ${written} }` });
      expect(load().options).toEqual({});
    },
  );

  test.each([
    ["max_attempts", "tools.validation.retry.max_attempts"],
    ["unknown_fields", "tools.validation.unknown_fields"],
  ])("%s beside tools.validation is misplaced", (key, place) => {
    const { load } = createProject({ [FILE]: `tools: { ${key}: 5, validation: {} }` });
    expect(load).toThrow(
      `/tools/${key} (VAL-005): Unknown field '${key}'\n  Hint: the key is ${place}`,
    );
  });

  test("YAML aliases are followed", () => {
    const { load } = createProject({
      [FILE]: "base: &retry { max_attempts: 7 }\ntools: { validation: { retry: *retry } }",
    });
    expect(load().options).toEqual({ maxAttempts: 7 });
  });

  test("a workspace root is relative to the folder that holds .agent", () => {
    const { load, folder } = createProject({ [FILE]: settings({ workspace_root: "src" }) });
    expect(load().options.workspaceRoot).toBe(join(folder, "repo/src"));
  });

  test("a workspace root of any other file is relative to that file's folder", () => {
    const { load, write, folder } = createProject();
    const path = write("repo/ci/strict.yml", settings({ workspace_root: ".." }));
    expect(load({ path }).options.workspaceRoot).toBe(join(folder, "repo"));
  });

  test("options in code override the file", () => {
    const { load } = createProject({
      [FILE]: settings({ retry: { max_attempts: 5, scope: "thread" } }),
    });
    const contract = createContract({ ...load().options, maxAttempts: 2 });
    expect(contract.settings).toMatchObject({ maxAttempts: 2, scope: "thread" });
  });
});

describe("layers", () => {
  const attempts = (max_attempts: number): string => settings({ retry: { max_attempts } });

  test("explicit path, cwd, project, home, machine: the higher one wins for each key", () => {
    const { load, folder } = createProject({
      "etc/agent/config.yml": settings({
        retry: { max_attempts: 1, scope: "thread", on_blocked: "refuse" },
        formatting: { max_errors_shown: 1, style: "compact" },
        interpreter: true,
      }),
      "home/.agent/config.yml": settings({
        retry: { max_attempts: 2, scope: "run" },
        formatting: { max_errors_shown: 2, max_message_length: 1002 },
      }),
      "repo/.agent/config.yml": settings({
        retry: { max_attempts: 3 },
        formatting: { max_errors_shown: 3, max_value_preview: 30 },
      }),
      "repo/app/.agent/config.yml": settings({
        retry: { max_attempts: 4 },
        formatting: { max_errors_shown: 4 },
      }),
      "repo/app/ci.yml": attempts(5),
    });
    const { options, files, origins } = load({ cwd: join(folder, "repo/app"), path: "ci.yml" });
    expect(options).toEqual({
      maxAttempts: 5,
      scope: "run",
      onBlocked: "refuse",
      interpreter: true,
      format: { style: "compact", maxErrors: 4, maxLength: 1002, maxValuePreview: 30 },
    });
    expect(files.map(({ layer }) => layer)).toEqual([
      "explicit",
      "cwd",
      "project",
      "home",
      "system",
    ]);
    const layerOf = (key: string): unknown => origins[`/tools/validation/${key}`]?.layer;
    expect(layerOf("retry/max_attempts")).toBe("explicit");
    expect(layerOf("formatting/max_errors_shown")).toBe("cwd");
    expect(layerOf("formatting/max_value_preview")).toBe("project");
    expect(layerOf("retry/scope")).toBe("home");
    expect(layerOf("interpreter")).toBe("system");
  });

  test.each([
    ["from a folder deep below", "repo/packages/app/src", 3],
    ["not above the root of the repository", "repo/inner/deep", undefined],
  ])("the file is searched upwards, %s", (_, cwd, expected) => {
    const { load, folder } = createProject({ [FILE]: attempts(3) });
    mkdirSync(join(folder, cwd), { recursive: true });
    if (expected === undefined) mkdirSync(join(folder, "repo/inner/.git"));
    expect(load({ cwd: join(folder, cwd) }).options.maxAttempts).toBe(expected);
  });

  test("without a repository, every folder up to the home directory counts", () => {
    const { load, folder } = createProject({
      ".agent/config.yml": settings({ interpreter: true }),
      "home/.agent/config.yml": settings({ repair_json: false }),
      "home/projects/.agent/config.yml": settings({ unwrap_strings: true }),
      "home/projects/app/.agent/config.yml": attempts(9),
    });
    const { options, files } = load({ cwd: join(folder, "home/projects/app") });
    expect(files.map(({ layer }) => layer)).toEqual(["cwd", "project", "home"]);
    expect(options).toEqual({ maxAttempts: 9, unwrapStrings: true, repairJson: false });
  });

  test("a file that is in several layers is read once, in the highest", () => {
    const { load, folder } = createProject({ "home/.agent/config.yml": attempts(4) });
    symlinkSync(join(folder, "home/.agent/config.yml"), join(folder, "repo/link.yml"));
    const home = join(folder, "home");
    expect(load({ cwd: home }).files.map(({ layer }) => layer)).toEqual(["cwd"]);
    expect(load({ path: "link.yml" }).files.map(({ layer }) => layer)).toEqual(["explicit"]);
  });

  test("settings of the linter are merged one by one, and so are its rules", () => {
    const { load } = createProject({
      [FILE]:
        "lint: { max_warnings: 0, max_tool_tokens: 5, max_list_tokens: 6, rules: { b: warning } }",
      "home/.agent/config.yml":
        "lint: { max_warnings: 1, max_depth: 9, rules: { a: off, b: error } }",
      "etc/agent/config.yml": "lint: { rules: { c: info } }",
    });
    expect(load().lint).toEqual({
      maxWarnings: 0,
      maxToolTokens: 5,
      maxListTokens: 6,
      maxDepth: 9,
      rules: { a: "off", b: "warning", c: "info" },
    });
  });

  test("a key of the linter without members leaves those of a lower layer", () => {
    const lower = { "home/.agent/config.yml": "lint: { rules: { a: off } }" };
    const load = (text: string): unknown => createProject({ ...lower, [FILE]: text }).load().lint;
    expect(load("lint:\n  rules:\n")).toEqual({ rules: { a: "off" } });
    expect(load("lint:\n")).toEqual({ rules: { a: "off" } });
    expect(createProject().load().lint).toEqual({});
  });

  test("home and machine can be left out", () => {
    const { load } = createProject({
      "home/.agent/config.yml": attempts(4),
      "etc/agent/config.yml": attempts(5),
    });
    expect(load({ home: false }).options.maxAttempts).toBe(5);
    expect(load({ home: false, system: false }).options).toEqual({});
  });

  test("a fault in a layer counts even if a higher layer sets the same key", () => {
    const { error, folder } = createProject({
      [FILE]: attempts(3),
      "home/.agent/config.yml": attempts(0),
    });
    expect(error().faults).toMatchObject([
      { layer: "home", file: join(folder, "home/.agent/config.yml"), code: "VAL-003" },
    ]);
  });
});

describe("misuse of loadConfig", () => {
  test.each([
    [{ cdw: "/" }, "loadConfig: there is no option 'cdw'. Use cwd."],
    [{ nothing: 1 }, "loadConfig: there is no option 'nothing'. Use path, cwd, home, system, env."],
    [{ path: 3 }, "loadConfig: option 'path' must be a non-empty string."],
    [{ home: true }, "loadConfig: option 'home' must be a folder, or false for none."],
    ["x.yml", "loadConfig: the options must be an object, such as { cwd }."],
  ])("%j", (options, message) => {
    expect(() => loadConfig(options as never)).toThrow(new ToolContractError(message));
  });
});
