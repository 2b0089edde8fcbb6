import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FileOption } from "@toolcontract/core/options";
import { describe, expect, test, vi } from "vitest";
import { runCommand } from "./command/index.ts";
import { fileSchema } from "./format/file-schema.ts";
import { createProject, FILE, settings } from "./testing/project.ts";

const TOY = vi.hoisted((): FileOption => ({
  wants: '"red" or "blue"',
  fits: (value) => value === "red" || value === "blue",
  schema: { type: "string", enum: ["red", "blue"] },
  fallback: "red",
  key: "retry.toy",
  about: "The color of a retry.",
}));

vi.mock(import("@toolcontract/core/options"), async (original) => {
  const { OPTIONS } = await original();
  return { OPTIONS: { ...OPTIONS, toy: TOY, toyFunction: { ...OPTIONS.clock } } };
});

describe("an option is one row of core's table", () => {
  test("a new row is in the schema of the file", () => {
    expect(fileSchema(false)).toHaveProperty(
      "properties.tools.properties.validation.properties.retry.properties.toy",
      { description: TOY.about, default: "red", ...TOY.schema },
    );
  });

  test("a new row is read, and its faults are reported", () => {
    const { write, load, error } = createProject({ [FILE]: settings({ retry: { toy: "blue" } }) });
    expect(load().options).toEqual({ toy: "blue" });
    write(FILE, settings({ retry: { toy: "bleu" } }));
    expect(error().message).toContain('Hint: use "blue"');
    write(FILE, settings({ toy: "blue" }));
    expect(error().message).toContain("Hint: the key is tools.validation.retry.toy");
    write(FILE, settings({ toy_function: 1 }));
    expect(error().message).toContain("pass `toyFunction` to createContract in code");
  });

  test("a new row is in a new file, and shown", () => {
    const { folder } = createProject();
    const cwd = join(folder, "repo");
    const lines: string[] = [];
    const print = (line: string): void => void lines.push(line);
    const context = { cwd, home: false, system: false, env: {}, print, warn: print } as const;
    expect([
      runCommand(["config", "init"], context),
      runCommand(["config", "show"], context),
    ]).toEqual([0, 0]);
    expect(readFileSync(join(folder, FILE), "utf8")).toContain(
      "      # The color of a retry.\n      toy: red\n",
    );
    expect(lines.join("\n")).toMatch(
      /^tools\.validation\.retry\.toy: "red" +# .*config\.yml:\d+$/m,
    );
  });
});
