import { type JsonSchema, isRecord, jsonEqual, pointerKeys } from "../shared/index.ts";
import { indexSchema } from "../schema/index.ts";
import { flatten } from "./flatten.ts";
import { toGeminiSchema } from "./gemini-schema.ts";
import { loosen, withNote } from "./loosen.ts";
import type { Change } from "./refusal.ts";
import { PROPERTY_NAME } from "./root-refusals.ts";

/** The providers that a schema can be written for. */
export type SchemaProvider = "openai" | "anthropic" | "gemini" | "bedrock";

/** A tool whose schema is written for a provider. */
export interface ToolToSend {
  /** Its name, which is not changed. */
  readonly name: string;
  /** The JSON Schema of its arguments. */
  readonly inputSchema?: JsonSchema | undefined;
}

/** A schema as a provider takes it. */
export interface ProviderSchema {
  /** The JSON Schema to send; the original itself if nothing has to change. */
  readonly inputSchema: JsonSchema;
  /** What was changed; empty if the provider takes the schema as it is. */
  readonly changes: readonly Change[];
}

type Draft = Record<string, unknown>;

const UNIONS = ["anyOf", "oneOf", "allOf"];
const WHOLE = ["not", "enum", "const"];

/**
 * Writes the schema of a tool's arguments as a provider takes it: it admits every object that the original admits, so the
 * original stays the judge of the calls, and nothing is lost. A tool's name is not changed.
 *
 * @example
 * ```ts
 * const { inputSchema, changes } = toProvider(tool, "gemini");
 * for (const { path, what } of changes) console.log(path, what);
 * ```
 * @see docs/lint.md
 */
export function toProvider(tool: ToolToSend, provider: SchemaProvider): ProviderSchema {
  const given = tool.inputSchema ?? {};
  const original = isRecord(given) ? given : {};
  const index = indexSchema(original, "2020-12");
  const resolve = (reference: string): unknown => index.resolve(reference, index.root.base)?.schema;
  const changes: Change[] = [];
  const root = asObject(original, provider, resolve, changes);
  if (provider === "gemini") {
    const { nullable: _, ...object } = root;
    const schema = { properties: {}, ...toGeminiSchema(object, resolve), type: "object" };
    if (jsonEqual(schema, original)) return { inputSchema: given, changes: [] };
    return { inputSchema: schema, changes: [...changes, ...takenOut(original, schema)] };
  }
  const about = {
    provider,
    changes,
    areListsTuples: !String(original["$schema"]).includes("2020-12"),
    resolves: (one: string) => resolve(one) !== undefined,
  };
  const first = loosen(root, "", { ...about, areTargetsChanged: false });
  const areTargetsChanged = changes.some(({ path }) => /^\/(?:\$defs|definitions)\//.test(path));
  if (areTargetsChanged) changes.length = 0;
  const schema = areTargetsChanged
    ? loosen(asObject(original, provider, resolve, changes), "", { ...about, areTargetsChanged })
    : first;
  return { inputSchema: changes.length === 0 ? given : withoutUnevaluated(schema), changes };
}

/** The schema as that of one object. */
function asObject(
  original: Readonly<Record<string, unknown>>,
  provider: SchemaProvider,
  resolve: (reference: string) => unknown,
  changes: Change[],
): Draft {
  const root: Draft = { ...original };
  if (root["type"] !== "object") {
    root["type"] = "object";
    changes.push({ path: "/type", what: 'wrote "type": "object"' });
  }
  const unions = [...UNIONS, ...(provider === "openai" ? WHOLE : []), "$ref"].filter((keyword) =>
    Object.hasOwn(root, keyword),
  );
  if (unions.length > 0) {
    const { properties, required, isClosed } = flatten(original, resolve);
    for (const keyword of unions) Reflect.deleteProperty(root, keyword);
    root["properties"] = Object.fromEntries(properties);
    delete root["required"];
    if (required.size > 0) root["required"] = [...required];
    if (isClosed && root["additionalProperties"] === undefined)
      root["additionalProperties"] = false;
    const ways = waysOf(original);
    if (ways !== undefined) root["description"] = withNote(root["description"], ways);
    for (const keyword of unions)
      changes.push({ path: `/${keyword}`, what: `put what ${keyword} describes into one object` });
  }
  if (root["properties"] === undefined && provider !== "anthropic" && provider !== "bedrock") {
    root["properties"] = {};
    changes.push({ path: "", what: "added properties" });
  }
  if (provider === "anthropic" || provider === "bedrock") renamePatterns(root, changes);
  return root;
}

/** In words: which fields belong together, if variants at the top say nothing else. */
function waysOf({ anyOf, oneOf }: Readonly<Record<string, unknown>>): string | undefined {
  const branches = anyOf ?? oneOf;
  if (!Array.isArray(branches)) return undefined;
  const lists = branches.map((one: unknown) =>
    isRecord(one) && Array.isArray(one["required"]) ? one["required"].join(", ") : "",
  );
  return lists.every((one) => one !== "") ? `Needed: ${lists.join("; or ")}.` : undefined;
}

/** Names that a provider does not take are declared by a pattern of names. */
function renamePatterns(root: Draft, changes: Change[]): void {
  const { properties, patternProperties } = root;
  if (!isRecord(properties)) return;
  const odd = Object.entries(properties).filter(([name]) => !PROPERTY_NAME.test(name));
  if (odd.length === 0) return;
  const named = odd.map(([name, schema]) => [`^${escaped(name)}$`, schema] as const);
  root["properties"] = Object.fromEntries(
    Object.entries(properties).filter(([name]) => PROPERTY_NAME.test(name)),
  );
  root["patternProperties"] = {
    ...(isRecord(patternProperties) ? patternProperties : {}),
    ...Object.fromEntries(named),
  };
  const list = odd.map(([name]) => JSON.stringify(name)).join(", ");
  root["description"] = withNote(root["description"], `Other fields: ${list}.`);
  changes.push({ path: "/properties", what: `declared ${list} by patternProperties` });
}

function escaped(name: string): string {
  return name.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, (sign) => `\\${sign}`);
}

/** What these keywords count as evaluated depends on all others. */
function withoutUnevaluated(schema: unknown): JsonSchema {
  const text = JSON.stringify(schema);
  if (!text.includes('"unevaluated')) return schema as JsonSchema;
  return JSON.parse(text, (key, value: unknown) =>
    key === "unevaluatedProperties" || key === "unevaluatedItems" ? undefined : value,
  ) as JsonSchema;
}

/** The places of a schema that another one does not have as they were. */
function takenOut(before: unknown, after: unknown, path = ""): Change[] {
  if (!isRecord(before)) return [];
  return Object.entries(before).flatMap(([key, value]): Change[] => {
    const next = isRecord(after) ? after[key] : undefined;
    const at = `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (JSON.stringify(next) === JSON.stringify(value)) return [];
    if (isRecord(value) && isRecord(next)) return takenOut(value, next, at);
    const name = pointerKeys(at).at(-1) ?? "";
    return [{ path: at, what: next === undefined ? `left out ${name}` : `rewrote ${name}` }];
  });
}
