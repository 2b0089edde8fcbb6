import { type JsonSchema, isRecord, jsonPointer } from "../shared/index.ts";
import { indexSchema, subschemaPlaces } from "../schema/index.ts";
import { GEMINI_FORM } from "./gemini-form.ts";
import { OUTPUT_REFUSALS } from "./output-refusals.ts";
import type { Provider, Refusal, SchemaAt } from "./refusal.ts";
import { ROOT_REFUSALS } from "./root-refusals.ts";
import { SCHEMA_REFUSALS } from "./schema-refusals.ts";
import { type DeclaredName, TOOL_REFUSALS } from "./tool-refusals.ts";

/** A place that is refused, by whom, and what to write instead. */
export interface FoundRefusal {
  readonly who: readonly Provider[];
  /** JSON Pointer from the root of what was looked at. */
  readonly pointer: string;
  readonly what: string;
  readonly write: string;
}

/** What is refused, in words, and how that is known. */
export type RefusedShape = Pick<
  Refusal<never>,
  "shape" | "who" | "known" | "source" | "isOnlyAsked"
>;

/** All that is looked for. */
export const REFUSED_SHAPES: readonly RefusedShape[] = [
  ...TOOL_REFUSALS,
  ...ROOT_REFUSALS,
  ...SCHEMA_REFUSALS,
  ...OUTPUT_REFUSALS,
  ...GEMINI_FORM,
];

/** Which providers are looked at. */
export interface RefusalSearch {
  readonly providers: readonly Provider[];
  /** Whether these were asked for by name, so that what clients take out counts too. */
  readonly isAsked: boolean;
}

/** Finds what providers and clients refuse of a tool beside its schemas. */
export function refusalsOfTool(tool: DeclaredName, search: RefusalSearch): readonly FoundRefusal[] {
  return merged([...found(TOOL_REFUSALS, tool, "", search)]);
}

/** Finds what providers and clients refuse of the schema of a tool's arguments. */
export function refusalsOfInput(
  schema: JsonSchema,
  search: RefusalSearch,
): readonly FoundRefusal[] {
  const rows = [...SCHEMA_REFUSALS, ...GEMINI_FORM];
  return merged(
    [...placesOf(schema)].flatMap((place) => [
      ...(place.pointer === "" ? found(ROOT_REFUSALS, place, "", search) : []),
      ...found(rows, place, place.pointer, search),
    ]),
  );
}

/** Finds what clients refuse of the schema of a tool's result. */
export function refusalsOfOutput(
  schema: JsonSchema,
  search: RefusalSearch,
): readonly FoundRefusal[] {
  return merged(
    [...placesOf(schema)].flatMap((place) => [
      ...found(OUTPUT_REFUSALS, place, place.pointer, search),
    ]),
  );
}

function* found<Place>(
  rows: readonly Refusal<Place>[],
  place: Place,
  pointer: string,
  { providers, isAsked }: RefusalSearch,
): Generator<FoundRefusal> {
  for (const { who, finds, write, isOnlyAsked = false } of rows) {
    if (isOnlyAsked && !isAsked) continue;
    const asked = who.filter((one) => providers.includes(one));
    if (asked.length === 0) continue;
    for (const fault of finds(place)) {
      const refusing = fault.who ? asked.filter((one) => fault.who?.includes(one)) : asked;
      if (refusing.length === 0) continue;
      yield {
        who: refusing,
        pointer: pointer + (fault.keyword === undefined ? "" : jsonPointer([fault.keyword])),
        what: fault.what,
        write: fault.write ?? write,
      };
    }
  }
}

/** The same fault, refused by several providers, is one. */
function merged(all: readonly FoundRefusal[]): readonly FoundRefusal[] {
  const byFault = new Map<string, FoundRefusal>();
  for (const one of all) {
    const key = `${one.pointer}\n${one.what}`;
    const known = byFault.get(key);
    byFault.set(key, known ? { ...known, who: [...new Set([...known.who, ...one.who])] } : one);
  }
  return [...byFault.values()];
}

const MAX_PLACES = 20_000;

/** All schemas of a document, each before those inside it. A document that is not an object has one, which is empty. */
function placesOf(schema: JsonSchema): readonly SchemaAt[] {
  const root = isRecord(schema) ? schema : {};
  let index: ReturnType<typeof indexSchema> | undefined;
  const resolves = (reference: string): boolean => {
    index ??= indexSchema(root, "2020-12");
    return !index.unresolved.includes(reference);
  };
  const places: SchemaAt[] = [{ node: root, pointer: "", keyword: undefined, resolves }];
  for (const { node, pointer } of places) {
    if (places.length >= MAX_PLACES) break;
    for (const { holder, key, keys } of subschemaPlaces(node)) {
      const child = holder[key];
      if (isRecord(child))
        places.push({
          node: child,
          pointer: pointer + jsonPointer(keys),
          keyword: keys[0],
          resolves,
        });
    }
  }
  return places;
}
