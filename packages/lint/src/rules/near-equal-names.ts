import { nearest } from "@toolcontract/explain/adapter";
import { type FieldPlace, type LintRule, type DeclaredTool } from "../shared/index.ts";

/** More names than this are compared by their letters only. */
const MOST_COMPARED = 200;

/** Two tools, or two fields of one object, that models take for each other. */
export const nearEqualNames: LintRule = {
  name: "near-equal-names",
  severity: "warning",
  about: "Two names differ by a letter, a plural or their spelling, and models mix them up.",
  fix: "give one of them a name that says the difference",
  numbers:
    "Of 208 real calls of a tool that was not offered, most named a sibling of one that was.",
  *check({ tool, fields, pointerOf }, { tools }) {
    const twin = twinsOf(tools).get(tool.name);
    if (twin !== undefined)
      yield {
        path: tool.at.name,
        message: `Its name is nearly that of the tool "${twin.slice(0, 64)}"`,
      };
    for (const siblings of bySchema(fields)) {
      const names = siblings.map(({ name }) => name);
      for (const [index, { name, ...field }] of siblings.entries()) {
        const near = nearest(name, names.slice(0, Math.min(index, MOST_COMPARED)));
        if (near === undefined || !isTwin(name, near)) continue;
        yield {
          path: pointerOf(field),
          message: `Its name is nearly that of the field "${near.slice(0, 64)}"`,
        };
      }
    }
  },
};

const equalNames = new WeakMap<readonly DeclaredTool[], ReadonlyMap<string, string>>();

/** The tools whose names are nearly that of another one, each with the name that is near. */
function twinsOf(tools: readonly DeclaredTool[]): ReadonlyMap<string, string> {
  const known = equalNames.get(tools);
  if (known) return known;
  const names = [...new Set(tools.map(({ tool }) => tool.name))];
  const twins = new Map<string, string>();
  const byLetters = new Map<string, string>();
  for (const name of names) {
    const letters = comparableName(name);
    const first = byLetters.get(letters);
    if (first === undefined) byLetters.set(letters, name);
    else twins.set(name, first);
  }
  if (names.length <= MOST_COMPARED)
    for (const [index, name] of names.entries()) {
      const near = twins.has(name) ? undefined : nearest(name, names.slice(0, index));
      if (near !== undefined && isTwin(name, near)) twins.set(name, near);
    }
  equalNames.set(tools, twins);
  return twins;
}

/** A name without case, separators and the ending of a plural. */
function comparableName(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) =>
      word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word,
    )
    .join("");
}

/** Whether a near name is that of the same thing, and not a longer one or a number of it: `point1`, `point2`. */
function isTwin(one: string, other: string): boolean {
  const isCounted =
    one.replace(/\d+$/, "") === other.replace(/\d+$/, "") && /\d$/.test(one + other);
  return !isCounted && Math.abs(one.length - other.length) <= 2;
}

function bySchema(fields: readonly FieldPlace[]): readonly (readonly FieldPlace[])[] {
  const groups = new Map<unknown, FieldPlace[]>();
  for (const field of fields) {
    const group = groups.get(field.parent) ?? [];
    groups.set(field.parent, group);
    group.push(field);
  }
  return [...groups.values()];
}
