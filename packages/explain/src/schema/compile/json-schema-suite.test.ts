import { engineOf } from "../../testing/engine.ts";
import type { JsonSchema } from "../../shared/index.ts";
import { compileSchema } from "./compile-schema.ts";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isWhole } from "@toolcontract/case-table/whole";
import { beforeAll, describe, expect, test } from "vitest";

// The npm package of the official suite installs only from a git host. If there is a checkout
// beside the project or in JSON_SCHEMA_TEST_SUITE, all of its required tests run; see docs/decisions/explaining.md.
const beside = fileURLToPath(
  new URL("../../../../../../shared/data/JSON-Schema-Test-Suite", import.meta.url),
);
const suite = process.env["JSON_SCHEMA_TEST_SUITE"] ?? beside;

const dialects = [
  ["draft2020-12", "https://json-schema.org/draft/2020-12/schema"],
  ["draft2019-09", "https://json-schema.org/draft/2019-09/schema"],
  ["draft7", "http://json-schema.org/draft-07/schema#"],
  ["draft6", "http://json-schema.org/draft-06/schema#"],
  ["draft4", "http://json-schema.org/draft-04/schema#"],
] as const;

interface Group {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

/** Intended differences from the suite; any other disagreement fails. */
const exceptions: readonly {
  readonly reason: string;
  readonly covers: (file: string, group: string) => boolean;
}[] = [
  {
    reason: "formats are asserted: VAL-010 is part of the contract",
    covers: (file) => file === "format.json",
  },
  { reason: "documents elsewhere are never fetched", covers: (file) => file === "refRemote.json" },
  {
    reason: "the schema points at a document elsewhere",
    covers: (file, group) =>
      (file === "ref.json" && group.startsWith("remote ref")) ||
      (/^def(?:s|initions)\.json$/.test(file) &&
        group === "validate definition against metaschema") ||
      (file === "dynamicRef.json" &&
        /^(?:strict-tree schema|tests for implementation dynamic anchor|\$ref and \$dynamicAnchor are independent|\$ref to \$dynamicRef finds)/.test(
          group,
        )),
  },
  {
    reason: "an empty list of values is a slip of whoever made the schema: no value could pass",
    covers: (file, group) => file === "enum.json" && group === "empty enum",
  },
  {
    reason: "a dialect of the schema's own making is unknown",
    covers: (file) => file === "vocabulary.json",
  },
];

function groupsOf(folder: string): readonly (readonly [string, Group])[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return files.flatMap((file) =>
    (JSON.parse(readFileSync(`${folder}/${file}`, "utf8")) as Group[]).map(
      (group) => [file, group] as const,
    ),
  );
}

/**
 * The groups of a dialect that a mode runs. Each dialect repeats most of those of the newest: such a group takes turns, compiled
 * in one dialect and interpreted in the next, unless everything is run.
 */
function takenBy(
  dialect: number,
  mode: number,
  groups: readonly (readonly (readonly [string, Group])[])[],
): readonly (readonly [string, Group])[] {
  const [newest = [], own = []] = [groups[0], groups[dialect]];
  if (isWhole || dialect === 0) return own;
  const repeated = new Set(newest.map(([, group]) => JSON.stringify(group.tests)));
  return own.filter(
    ([, group], place) =>
      !repeated.has(JSON.stringify(group.tests)) || (place + dialect + mode) % 2 === 0,
  );
}

function disagreements(
  groups: readonly (readonly [string, Group])[],
  uri: string,
  interpreter: boolean,
): { checked: number; wrong: readonly string[] } {
  let checked = 0;
  const wrong: string[] = [];
  for (const [file, group] of groups) {
    if (exceptions.some(({ covers }) => covers(file, group.description))) continue;
    const schema =
      typeof group.schema === "object" ? { $schema: uri, ...group.schema } : group.schema;
    const compiled = compileSchema(schema, JSON.stringify(schema), engineOf(interpreter));
    for (const { description, data, valid } of group.tests) {
      checked += 1;
      const result =
        compiled.warnings.size > 0 ? [...compiled.warnings].join(", ") : compiled.accepts(data);
      if (result !== valid) wrong.push(`${file}: ${group.description}: ${description}: ${result}`);
      else if (!valid && compiled.explain(data).findings.length === 0)
        wrong.push(`${file}: ${group.description}: ${description}: unexplained`);
    }
  }
  return { checked, wrong };
}

describe.runIf(existsSync(suite))("the JSON Schema test suite", () => {
  let groups: readonly (readonly (readonly [string, Group])[])[] = [];
  beforeAll(() => {
    groups = dialects.map(([folder]) => groupsOf(`${suite}/tests/${folder}`));
  });

  test.each(
    dialects.flatMap(([folder, uri], dialect) =>
      ["compiled", "interpreted"].map((name, mode) => [folder, name, uri, dialect, mode] as const),
    ),
  )("required tests of %s agree, %s", (_folder, _name, uri, dialect, mode) => {
    const { checked, wrong } = disagreements(takenBy(dialect, mode, groups), uri, mode === 1);
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(250);
  });
});
