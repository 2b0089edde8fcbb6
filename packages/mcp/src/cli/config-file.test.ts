import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { addServer, toolCall } from "../testing/messages.ts";
import { endProxies, script, startProxy } from "../testing/proxy-process.ts";
import { runMain } from "../testing/run-main.ts";
import { ownLayers, readArguments } from "./command-line.ts";
import { readConfigFiles } from "./config-file.ts";
import { toGateOptions } from "./gate-options.ts";
import { readSettings } from "./settings.ts";

afterEach(endProxies);

const FILE = ".agent/config.yml";

/** A new project; nothing above it is read, because it is a repository. */
function project(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolcontract-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, ".git"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const validation = (settings: object): string =>
  JSON.stringify({ tools: { validation: settings } });

/** The options of the gate that a command line makes in a folder. */
async function optionsIn(folder: string, argv: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const cwd = vi.spyOn(process, "cwd").mockReturnValue(folder);
  onTestFinished(() => cwd.mockRestore());
  const layers = ownLayers(readArguments(argv), env);
  const file = await readConfigFiles(layers, env);
  const settings = readSettings(file ? [...layers, file.layer] : layers);
  return toGateOptions(settings, file?.options ?? {}, () => undefined, {});
}

describe("the file", () => {
  const everything = {
    retry: { max_attempts: 5, on_blocked: "refuse", scope: "thread" },
    formatting: {
      style: "compact",
      max_message_length: 900,
      max_errors_shown: 4,
      max_value_preview: 30,
      max_tokens: 200,
    },
    unknown_fields: "reject",
    repair_json: false,
    close_dangling: true,
    unwrap_strings: true,
    workspace_root: "src",
    interpreter: true,
  };

  test("sets every option that a file can set", async () => {
    const folder = project({ [FILE]: validation(everything) });
    expect(await optionsIn(folder, ["x"])).toMatchObject({
      maxAttempts: 5,
      onBlocked: "refuse",
      scope: "thread",
      format: {
        style: "compact",
        maxLength: 900,
        maxErrors: 4,
        maxValuePreview: 30,
        maxTokens: 200,
      },
      unknownFields: "reject",
      repairJson: false,
      closeDangling: true,
      unwrapStrings: true,
      workspaceRoot: join(folder, "src"),
      interpreter: true,
      mode: "enforce",
    });
  });

  test("is overridden by the environment, which is overridden by the command line", async () => {
    const folder = project({ [FILE]: validation(everything) });
    const env = { TOOLCONTRACT_MAX_ATTEMPTS: "7", TOOLCONTRACT_MAX_ERRORS: "6" };
    expect(await optionsIn(folder, ["--max-attempts", "9", "--no-unwrap-strings"], env)).toEqual(
      expect.objectContaining({
        maxAttempts: 9,
        unwrapStrings: false,
        format: expect.objectContaining({ maxErrors: 6, maxLength: 900 }) as object,
      }),
    );
  });

  test("may take variables from the environment", async () => {
    const folder = project({ [FILE]: validation({ retry: { max_attempts: "${ATTEMPTS}" } }) });
    expect(await optionsIn(folder, [], { ATTEMPTS: "4" })).toMatchObject({ maxAttempts: 4 });
  });

  test.each([
    [{ unknown_fields: "schema" }, "schema", false],
    [{ unknown_fields: "warn" }, "warn", true],
    [{ unknown_fields: "warn", formatting: { report_advisories: false } }, "warn", false],
    [{ formatting: { report_advisories: true } }, "schema", true],
  ])(
    "%j reports unknown fields to the model as configured",
    async (settings, unknownFields, reported) => {
      const options = await optionsIn(project({ [FILE]: validation(settings) }), []);
      expect(options).toMatchObject({ unknownFields, reportAdvisories: reported });
    },
  );

  test.each<[string, readonly string[], NodeJS.ProcessEnv, string]>([
    ["that observes is audit", [], {}, "audit"],
    ["that observes is not heard beside a flag", ["--mode=enforce"], {}, "enforce"],
    ["that observes is not heard beside a variable", [], { TOOLCONTRACT_MODE: "assist" }, "assist"],
  ])("%s", async (_, flags, env, mode) => {
    const folder = project({ [FILE]: validation({ mode: "observe" }) });
    expect(await optionsIn(folder, flags, env)).toMatchObject({ mode });
  });

  test("is looked for nowhere with --no-config", async () => {
    const folder = project({ [FILE]: "nonsense: [" });
    expect(await optionsIn(folder, ["--no-config"])).toMatchObject({ maxAttempts: 3 });
    const env = { TOOLCONTRACT_CONFIG: "off" };
    expect(await optionsIn(folder, [], env)).toMatchObject({ maxAttempts: 3 });
  });

  test("of --config wins over the one that is found", async () => {
    const folder = project({
      [FILE]: validation({ retry: { max_attempts: 5 }, formatting: { style: "compact" } }),
      "own.yml": validation({ retry: { max_attempts: 8 } }),
    });
    expect(await optionsIn(folder, ["--config", "own.yml"])).toMatchObject({
      maxAttempts: 8,
      format: { style: "compact" },
    });
  });

  test("with nothing but a misspelt key is invalid, and the error has the near name", async () => {
    const folder = project({ [FILE]: '{ "toolz": { "validation": {} } }' });
    const fault = /toolz \(VAL-005\).*\n {2}Hint: rename it to "tools"/;
    await expect(optionsIn(folder, [])).rejects.toThrow(fault);
  });

  test("with a value that the proxy does not support is reported with its place", async () => {
    const folder = project({ [FILE]: validation({ retry: { max_attempts: 2_000_000 } }) });
    await expect(optionsIn(folder, [])).rejects.toThrow(
      `/tools/validation/retry/max_attempts in ${join(folder, FILE)}:1:49 must be a whole number`,
    );
  });
});

describe("a wrong file", () => {
  test.each([
    [[], "• .agent/config.yml:1:34 /tools/validation/retry/max_atempts (VAL-005)"],
    [
      ["--config", "none.yml"],
      "none.yml:1:1 (unreadable-file): The file can't be read: there is no such file",
    ],
  ])(
    "ends it before the server starts, with all faults and exit code 4: %j",
    async (argv, words) => {
      const folder = project({ [FILE]: validation({ retry: { max_atempts: 5 } }) });
      const cwd = vi.spyOn(process, "cwd").mockReturnValue(folder);
      onTestFinished(() => cwd.mockRestore());
      const server = script("process.stdout.write('started')");
      const { code, errors, output } = await runMain([...argv, ...server], {});
      expect([code, output]).toEqual([4, ""]);
      expect(errors).toContain("toolcontract-mcp: Invalid configuration");
      expect(errors).toContain(words);
      expect(errors).not.toContain("    at ");
    },
  );
});

test("a served call is answered as the file of the working directory says", async () => {
  const folder = project({ [FILE]: validation({ retry: { max_attempts: 8 } }) });
  const proxy = startProxy(["--log-level", "info", ...script(addServer())], {}, folder);
  proxy.send(toolCall(1, "add", {}));
  const { result } = await proxy.answer(1);
  expect(result?.content?.[0]?.text).toContain("(attempt 1/8)");
  expect(proxy.errors()).toContain("The configuration was read");
});
