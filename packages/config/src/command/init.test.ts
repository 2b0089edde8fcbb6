import { describe, expect, test } from "vitest";
import { FILE_OPTIONS, toOptions } from "../format/index.ts";
import { createProject, FILE } from "../testing/project.ts";
import { configTemplate } from "./init.ts";

describe("the file that init writes", () => {
  const text = configTemplate("./schema.json");

  test("sets every option that has a default to it", () => {
    const { options } = createProject({ [FILE]: text }).load();
    const defaults = FILE_OPTIONS.flatMap(({ name, fallback }) =>
      fallback === undefined ? [] : ([[name, fallback]] as const),
    );
    expect(options).toEqual(toOptions(new Map(defaults)));
  });

  test("is valid with the commented settings too, and then sets every option", () => {
    const all = text.replaceAll(
      /# (?=max_tokens|max_calls_per_turn|repeated_calls|workspace_root)/g,
      "",
    );
    const { origins } = createProject({ [FILE]: all }).load();
    expect(Object.keys(origins)).toHaveLength(FILE_OPTIONS.length);
  });

  test("shows guardrails, which are valid if they are used", () => {
    const [before = "", after = ""] = text.split("  # guardrails:");
    const used = `${before}  guardrails:${after.replaceAll("\n  # ", "\n  ")}`;
    expect(createProject({ [FILE]: used }).load().guardrails).toMatchObject({
      effects: { refund: "idempotent" },
      rules: [{ name: "refund_limit", tools: ["refund"], fieldPath: "/amount" }],
    });
  });

  test("names the schema where editors look for it", () => {
    expect(text.split("\n")[0]).toBe("# yaml-language-server: $schema=./schema.json");
  });
});
