import { type Note, isRecord } from "../../shared/index.ts";
import { type SchemaLocation, type Visit, type Walk, holding, passes } from "./walk.ts";

const MAX_HOPS = 4;

/** Adds what the author says of a value that has the wrong type; what is said around a reference goes first. */
export function noteMistyped({ walk, location, outcome }: Visit): void {
  const { level } = location.place;
  if (level === 0) return;
  for (const [index, finding] of outcome.findings.entries()) {
    if (finding.code !== "VAL-002" || finding.path.length !== level) continue;
    const note = { ...finding.note, ...noteOf(walk, location) };
    if (Object.keys(note).length > 0) outcome.findings[index] = { ...finding, note };
  }
}

/** Reads what the author of a schema says of a place, there or where its references lead. */
export function noteOf(walk: Walk, location: SchemaLocation): Note {
  let { schema, base } = location;
  let note: Note = {};
  for (let hops = 0; hops <= MAX_HOPS && isRecord(schema); hops += 1) {
    note = { ...ownNote(walk, { ...location, schema, base }), ...note };
    const { $ref } = schema;
    const target = typeof $ref === "string" ? walk.index.resolve($ref, base) : undefined;
    ({ schema, base } = target ?? { schema: undefined, base });
  }
  return note;
}

function ownNote(walk: Walk, location: SchemaLocation): Note {
  const { schema, value } = location;
  if (!isRecord(schema)) return {};
  const { description, default: usual } = schema;
  // A default that its own place refuses would send the model in a circle.
  const isUsual =
    usual !== undefined &&
    usual !== "" &&
    usual !== value &&
    passes(walk.visit(holding(location, usual)));
  return {
    ...(typeof description === "string" && { description }),
    ...(isUsual && { usual: { value: usual } }),
  };
}
