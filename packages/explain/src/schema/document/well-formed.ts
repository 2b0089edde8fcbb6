import { isRecord } from "../../shared/index.ts";
import { isSchema, keywordKinds } from "./keywords.ts";
import { type Dialect, subschemas } from "./schema-index.ts";

const MAX_NODES = 200_000;

/** Whether all keywords of a schema have the types that a dialect defines, so that validating with it is meaningful. */
export function isWellFormed(root: unknown, dialect: Dialect): boolean {
  const own = keywordKinds(dialect);
  const seen = new Set<unknown>();
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const schema = pending.pop();
    if (!isRecord(schema) || seen.has(schema)) continue;
    const inner = [...subschemas(schema)].filter((child) => child !== undefined);
    // `items` and `dependencies` may hold lists.
    const isSound =
      areKeywordsFit(schema, own) &&
      inner.every((child) => isSchema(child) || Array.isArray(child));
    if (seen.size >= MAX_NODES || !isSound) return false;
    seen.add(schema);
    // Not all as arguments of one call: in a browser, 70 000 of them are too many.
    for (const child of inner) pending.push(child);
  }
  return true;
}

function areKeywordsFit(
  schema: Readonly<Record<string, unknown>>,
  keywords: ReturnType<typeof keywordKinds>,
): boolean {
  // Siblings of a reference are checked too, although it overrides them up to draft-07.
  return Object.entries(keywords).every(
    ([keyword, isKind]) => schema[keyword] === undefined || isKind(schema[keyword]),
  );
}
