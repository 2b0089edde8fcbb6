import { type JsonSchema, isRecord } from "../../shared/index.ts";
import {
  type Dialect,
  dialectsOf,
  indexSchema,
  isWellFormed,
  refOverrides,
} from "../document/index.ts";
import { compilePattern } from "../pattern/index.ts";
import { interpret } from "./interpret.ts";

/** The parts of a schema document, for tools that look into schemas. */
export interface SchemaParts {
  /** Whether the document is a schema of a known dialect, without broken keywords. */
  readonly isKnown: boolean;
  readonly dialect: Dialect;
  /** Whether a reference overrides the keywords beside it. */
  readonly refOverrides: boolean;
  /** The schema that a reference at the root leads to; undefined if it is outside the document. */
  resolve(reference: string): unknown;
  /**
   * Whether a part of the document accepts a value, with what it refers to. Formats are not checked, and what cannot be
   * judged is accepted.
   */
  accepts(part: unknown, value: unknown): boolean;
}

const IDENTIFIED = /"\$?id":"[^#]/;

function refers(part: unknown): boolean {
  return /"\$(?:dynamicRef|ref)"/.test(JSON.stringify(part));
}

/** Looks into a schema document; undefined if its dialect is unknown. */
export function schemaParts(schema: JsonSchema): SchemaParts | undefined {
  const dialects = dialectsOf(schema);
  const known = dialects.find((one) => isWellFormed(schema, one));
  const dialect = known ?? dialects[0];
  if (dialect === undefined) return undefined;
  const isKnown = known !== undefined;
  const index = indexSchema(schema, dialect);
  const { base } = index.root;
  // Below an identifier of its own, a part refers to other things.
  const isPlain = !(
    isRecord(schema) &&
    Object.values(schema).some((one) => IDENTIFIED.test(JSON.stringify(one) ?? ""))
  );
  const services = {
    matchesPattern: (source: string, value: string) => compilePattern(source).test(value),
    matchesFormat: () => true,
    remembers: true,
  };
  return {
    isKnown,
    dialect,
    refOverrides: refOverrides(dialect),
    resolve: (reference) => (isPlain ? index.resolve(reference, base)?.schema : undefined),
    accepts(part, value) {
      if (!isPlain) return true;
      // A part of what is well-formed is, too: it is not read again for each part around it.
      if (!isKnown && (!isWellFormed(part, dialect) || refers(part))) return true;
      if (index.unresolved.length > 0 && refers(part)) return true;
      try {
        return interpret({ ...index, root: { schema: part, base } }, value, services);
      } catch {
        return true;
      }
    },
  };
}
