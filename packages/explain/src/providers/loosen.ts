import { isRecord, jsonPointer } from "../shared/index.ts";
import { subschemaPlaces } from "../schema/index.ts";
import { isWellFormedKeyword } from "./malformed.ts";
import { unknownToPython } from "./python-pattern.ts";
import type { Change, Provider } from "./refusal.ts";

type Node = Readonly<Record<string, unknown>>;
type Draft = Record<string, unknown>;

/** What a rewrite of one schema needs to know. */
export interface Loosening {
  readonly provider: Provider;
  readonly resolves: (reference: string) => boolean;
  /** Whether what references lead to is changed. */
  readonly areTargetsChanged: boolean;
  /** Whether `items` may be a list, as it could in older dialects. */
  readonly areListsTuples: boolean;
  readonly changes: Change[];
}

const MAPS = ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"];

/** Takes out of a schema, and of all inside it, what providers of JSON Schema refuse; never narrower than before. */
export function loosen(given: unknown, pointer: string, about: Loosening): unknown {
  if (!isRecord(given)) return given;
  const node: Draft = { ...given };
  const note = (what: string, keyword?: string): void => {
    about.changes.push({
      path: pointer + (keyword === undefined ? "" : jsonPointer([keyword])),
      what,
    });
  };
  if (about.areListsTuples) writeTuple(node, note);
  dropMalformed(node, note);
  if (typeof node["$ref"] === "string" && !about.resolves(node["$ref"])) {
    delete node["$ref"];
    note("left out a reference that leads nowhere", "$ref");
  }
  rewriteInside(node, pointer, about, note);
  if (about.provider === "openai") loosenForOpenAi(node, note);
  return node;
}

/** Writes a list of items as the current dialect does. */
function writeTuple(node: Draft, note: Note): void {
  const { items, additionalItems } = node;
  if (!Array.isArray(items) || !isWellFormedKeyword("prefixItems", items)) return;
  node["prefixItems"] = items;
  delete node["items"];
  delete node["additionalItems"];
  if (additionalItems !== undefined) node["items"] = additionalItems;
  note("wrote prefixItems for a list of items", "items");
}

type Note = (what: string, keyword?: string) => void;

function dropMalformed(node: Draft, note: Note): void {
  for (const [keyword, value] of Object.entries(node)) {
    if (isWellFormedKeyword(keyword, value)) continue;
    if (MAPS.includes(keyword) && isRecord(value)) {
      node[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, one]) => [
          name,
          isRecord(one) || typeof one === "boolean" ? one : {},
        ]),
      );
      note("wrote {} for what is not a schema", keyword);
    } else {
      if (keyword === "items") delete node["additionalItems"];
      delete node[keyword];
      note(`left out ${keyword}, whose value draft 2020-12 does not allow`, keyword);
    }
  }
}

/** Rewrites the schemas inside; what a looser part would make narrower is loosened as a whole. */
function rewriteInside(node: Draft, pointer: string, about: Loosening, note: Note): void {
  for (const { key, keys } of Array.from(subschemaPlaces(node))) {
    const [keyword = "", ...rest] = keys;
    const holder = rest.length === 0 ? node : (node[keyword] as Node);
    if (holder === undefined) continue;
    const child = holder[key];
    if (child === undefined) continue;
    const before = about.changes.length;
    const next = loosen(child, pointer + jsonPointer(keys), about);
    const refers = about.areTargetsChanged && JSON.stringify(child).includes('"$ref"');
    if (about.changes.length === before && !refers) continue;
    if (keyword === "not" || keyword === "if") {
      for (const one of keyword === "not" ? ["not"] : ["if", "then", "else"]) delete node[one];
      note(`left out ${keyword}, which has such a part`, keyword);
    } else if (rest.length === 0) node[keyword] = next;
    else
      node[keyword] = Array.isArray(holder)
        ? holder.map((one: unknown, index) => (String(index) === key ? next : one))
        : { ...holder, [key]: next };
    if (keyword === "contains") delete node["maxContains"];
  }
  const { oneOf, anyOf } = node;
  if (Array.isArray(oneOf) && isTouched(pointer, "oneOf", node, about)) {
    delete node["oneOf"];
    if (anyOf === undefined) node["anyOf"] = oneOf;
    note("wrote anyOf for oneOf, whose variants are wider", "oneOf");
  }
}

function isTouched(pointer: string, keyword: string, node: Node, about: Loosening): boolean {
  const inside = `${pointer}/${keyword}/`;
  return (
    about.changes.some(({ path }) => path.startsWith(inside)) ||
    (about.areTargetsChanged && JSON.stringify(node[keyword]).includes('"$ref"'))
  );
}

function loosenForOpenAi(node: Draft, note: Note): void {
  const { type, items, prefixItems, pattern, patternProperties } = node;
  if (type === "array" && items === undefined && prefixItems === undefined) {
    node["items"] = {};
    note("added items, which may be anything");
  }
  if (typeof pattern === "string" && unknownToPython(pattern) !== undefined) {
    delete node["pattern"];
    node["description"] = withNote(node["description"], `Pattern: ${pattern}`);
    note("wrote the pattern into the description", "pattern");
  }
  if (!isRecord(patternProperties)) return;
  const kept = Object.entries(patternProperties).filter(
    ([one]) => unknownToPython(one) === undefined,
  );
  if (kept.length === Object.keys(patternProperties).length) return;
  node["patternProperties"] = Object.fromEntries(kept);
  delete node["additionalProperties"];
  note("left out a pattern of names, and let other fields in", "patternProperties");
}

/** A description with a sentence more. */
export function withNote(description: unknown, note: string): string {
  return typeof description === "string" && description !== "" ? `${description} ${note}` : note;
}
