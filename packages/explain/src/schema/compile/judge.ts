import {
  type Finding,
  type JsonSchema,
  type PathSegment,
  isRecord,
  pointerKeys,
} from "../../shared/index.ts";
import { type Dialect, type SchemaIndex, codeOfKeyword, isSensitive } from "../document/index.ts";
import { expectationOf } from "../hints/index.ts";
import type { Pattern } from "../pattern/index.ts";
import { BareFault, pathOfPlace } from "../walk/index.ts";

/** Says whether values are valid, by compiled code: faster than the walk, whose verdict it must share. */
export interface SchemaJudge {
  /** Whether a value is valid; undefined if the compiled code throws on it. */
  accepts(value: unknown): boolean | undefined;
  /** Validates without catching what the compiled code throws. */
  readonly validate: (value: unknown) => boolean;
  /** Returns the first fault of the last invalid value. */
  lastFault(): JudgedFault | undefined;
}

/** Compiles a schema to a judge; may throw on a schema that the walk can still read. */
export type CompileJudge = (
  schema: JsonSchema,
  dialect: Dialect,
  json: string,
  compilePattern: (source: string) => Pattern,
) => SchemaJudge;

/** A fault as a judge sees it. */
export interface JudgedFault {
  /** The keyword that the value breaks. */
  readonly keyword: string;
  /** JSON Pointer to the value. */
  readonly pointer: string;
  /** The field that is missing, or is one too many. */
  readonly field?: string | undefined;
  /** The schema with the keyword. */
  readonly schema: unknown;
  /** What was sent there. */
  readonly value: unknown;
}

/** Turns a judge's fault into a finding: for what lies beyond the limits of the walk. */
export function findingFromJudge(
  fault: JudgedFault | undefined,
  index: SchemaIndex,
  root: unknown,
): Finding {
  const { schema, base } = index.root;
  if (fault === undefined)
    return plainFinding(index, { code: "VAL-003", path: [], schema, base, value: root });
  const path = pathOf(fault.pointer, root);
  const own = isRecord(fault.schema) ? fault.schema : schema;
  const code = codeOfKeyword(fault.keyword);
  return plainFinding(index, { ...fault, code, path, schema: own, base });
}

/** Turns the fault that a walk has judged into a finding. */
export function findingFromWalk(fault: Finding, index: SchemaIndex): Finding {
  if (!(fault instanceof BareFault)) return fault;
  const { code, location, field } = fault;
  return plainFinding(index, { ...location, code, path: pathOfPlace(location), field });
}

/** A fault, and the part of the schema that was broken. */
interface PlainFault extends Pick<Finding, "code" | "path"> {
  readonly field?: string | undefined;
  readonly schema: unknown;
  readonly base: string;
  readonly value: unknown;
}

function plainFinding(
  index: SchemaIndex,
  { code, path, field, schema, base, value }: PlainFault,
): Finding {
  const expected = expectationOf(index, schema, base);
  if (field !== undefined)
    return { code, path: [...path, field], ...(code === "VAL-001" ? {} : { expected }) };
  const reason = code === "VAL-014" ? { reason: { kind: "conflict" as const } } : {};
  const sensitive = isRecord(schema) && isSensitive(schema);
  return { code, path, ...reason, expected, actual: { value }, sensitive };
}

function pathOf(pointer: string, root: unknown): readonly PathSegment[] {
  const segments: PathSegment[] = [];
  let value = root;
  for (const key of pointerKeys(pointer)) {
    segments.push(Array.isArray(value) ? Number(key) : key);
    value =
      typeof value === "object" && value !== null
        ? (value as Readonly<Record<string, unknown>>)[key]
        : undefined;
  }
  return segments;
}
