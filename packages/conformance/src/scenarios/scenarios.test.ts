import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { findFaults } from "../testing/find-faults.ts";
import { SCENARIOS } from "./index.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), "utf8"));
const files = globSync("scenarios/*.json", { cwd: root }).filter(
  (file) => !file.endsWith("tools.json"),
);

describe("the scenarios", () => {
  const validate = new Ajv2020({ strict: true }).compile(read("scenario-schema.json") as object);

  test.each(files)("%s keeps the published schema", (file) => {
    validate(read(file));
    expect(validate.errors).toBeNull();
  });

  test("are at least forty, all of the files, each with an id of its own", () => {
    const inFiles = files.flatMap(
      (file) => (read(file) as { readonly scenarios: readonly { id: string }[] }).scenarios,
    );
    expect(SCENARIOS.length).toBeGreaterThanOrEqual(40);
    expect(SCENARIOS.map(({ id }) => id).toSorted()).toEqual(
      inFiles.map(({ id }) => id).toSorted(),
    );
    expect(new Set(SCENARIOS.map(({ id }) => id)).size).toBe(SCENARIOS.length);
  });

  test("call valid what the schema of the tool allows, and refuse nothing else", () => {
    const wrong = SCENARIOS.flatMap(({ id, tools, turns }) =>
      turns
        // Of a message that breaks off, a call that has arrived may run as well as not.
        .flatMap(({ calls, drops }) => (drops ? calls.filter((one) => one.unreadable) : calls))
        .filter(({ expect: expected, tool, arguments: text, unreadable, runsWith, digits }) => {
          const schema = tools.find(({ name }) => name === (tool === "getWeather" ? "" : tool));
          const allowed = runsWith ?? (expected === "runs" ? [JSON.parse(text)] : []);
          const isAllowed = (value: unknown): boolean =>
            schema !== undefined && findFaults(schema.parameters, value).length === 0;
          if (!allowed.every(isAllowed)) return true;
          if (expected === "runs" || unreadable !== undefined || digits !== undefined) return false;
          return schema !== undefined && isReadable(text) && isAllowed(JSON.parse(text));
        })
        .map(({ tool, arguments: text }) => `${id}: ${tool}(${text})`),
    );
    // A key that comes twice is read as its last value, so it is valid for whoever reads it.
    expect(wrong).toEqual([expect.stringContaining("duplicate-key: get_weather")]);
  });

  test("offer only names of tools that are declared", () => {
    for (const { tools, turns } of SCENARIOS) {
      const names = tools.map(({ name }) => name);
      const calls = turns.flatMap((turn) => turn.calls);
      const offered = calls.flatMap(({ nearest = [], runsAs = [] }) => [nearest, runsAs].flat());
      expect(names).toEqual(expect.arrayContaining(offered));
    }
  });

  test("declare two hundred tools where they say so", () => {
    const crowd = SCENARIOS.find(({ id }) => id === "two-hundred-tools");
    expect(new Set(crowd?.tools.map(({ name }) => name)).size).toBe(200);
  });
});

function isReadable(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
