import { type ValidationError, explain, formatFindings } from "@toolcontract/explain";
import { isRecord, keywordKinds, sharedCache } from "@toolcontract/explain/adapter";
import { contradictionIn } from "../proof/index.ts";
import { saysNothing } from "../rules/index.ts";
import { type DeclaredTool, descriptionOf, isNegated } from "../shared/index.ts";
import { type Mistake, mistakesOf } from "./mistakes.ts";

/** From the best to the worst: at least 90, 80, 70 and 50 % of the mistaken calls come back with the fix named. */
export type Grade = "A" | "B" | "C" | "D" | "F";

/** How well a tool's schema lets a model correct its mistakes. */
export interface ToolGrade {
  readonly grade: Grade;
  /** The expected share of mistaken calls that come back with the fix named, from 0 to 1. */
  readonly share: number;
}

/** A mistaken call, and what a model reads about it. */
export interface Proof extends Mistake {
  /** The findings as a model reads them; empty if the call is accepted. */
  readonly text: string;
  readonly isNamed: boolean;
}

const SCALE: readonly (readonly [least: number, grade: Grade])[] = [
  [0.9, "A"],
  [0.8, "B"],
  [0.7, "C"],
  [0.5, "D"],
  [0, "F"],
];
const BARE = new Set(["string", "object", "array", "number", "boolean", "integer"]);

/** Grades a tool by the mistakes that models make; one that no value can satisfy gets an F. */
export function gradeOf(facts: DeclaredTool): ToolGrade {
  const { parts, places } = facts;
  const isContradictory =
    parts !== undefined &&
    places.some((place) => !isNegated(place) && contradictionIn(place.node, parts) !== undefined);
  const share =
    isContradictory || !isEnforced(facts) ? 0 : shareOf(judged(facts, mistakesOf(facts)));
  return { grade: gradeFor(share), share };
}

/** Whether the schema refuses anything: it compiles, and is not a map of fields in place of a schema. */
function isEnforced({ tool }: DeclaredTool): boolean {
  const { inputSchema: schema } = tool;
  if (!isRecord(schema)) return true;
  const keywords = Object.keys(schema).filter((key) => !key.startsWith("$"));
  const isFieldMap =
    keywords.length > 0 && keywords.every((key) => !KEYWORDS.has(key) && isRecord(schema[key]));
  return !isFieldMap && !sharedCache({}).get(schema).warnings.has("schema-not-compiled");
}

const KEYWORDS = new Set([...Object.keys(keywordKinds("2020-12")), "const", "default"]);

/** The grade of a share. */
export function gradeFor(share: number): Grade {
  return SCALE.find(([least]) => share >= least)?.[1] ?? "F";
}

/** Makes the calls that models would make wrong, with what they would read. */
export function proofsOf(facts: DeclaredTool): readonly Proof[] {
  return judged(facts, mistakesOf(facts)).map(({ errors, ...proof }) => ({
    ...proof,
    text: formatFindings(errors, { style: "compact" }),
  }));
}

/** The first proof of each kind. */
export function firstOfEachKind<P extends Proof>(proofs: readonly P[]): readonly P[] {
  return proofs.filter(
    ({ kind }, index) => proofs.findIndex((proof) => proof.kind === kind) === index,
  );
}

interface JudgedProof extends Omit<Proof, "text"> {
  readonly errors: readonly ValidationError[];
}

function judged(facts: DeclaredTool, mistakes: readonly Mistake[]): readonly JudgedProof[] {
  const { inputSchema = true } = facts.tool;
  return mistakes.flatMap((mistake): JudgedProof[] => {
    const all = explain(inputSchema, mistake.arguments, { onDegraded: () => undefined });
    // Other findings are about the sample itself, which may be wrong.
    const errors = all.filter(
      ({ fieldPath }) => fieldPath === mistake.path || fieldPath.startsWith(`${mistake.path}/`),
    );
    // Such a call is not a mistake here.
    if (errors.length === 0 && !mistake.isSilent) return [];
    const isNamed = errors.length > 0 && errors.every((error) => isFixNamed(error, facts));
    return [{ ...mistake, errors, isNamed }];
  });
}

/** Whether an error says what to send: by a hint, or by an expectation that is more than the name of a type. */
function isFixNamed(
  { hint, expectedValue, fieldPath, errorCode }: ValidationError,
  { fields }: DeclaredTool,
): boolean {
  if (hint !== undefined) return true;
  const isBare = expectedValue === undefined || BARE.has(expectedValue);
  if (!isBare) return true;
  const field = fields.find(({ name }) => fieldPath === `/${name}`);
  if (field !== undefined && descriptionOf(field.node).trim() !== "") return true;
  // For a scalar, the type is hint enough; a missing field has to be known by name.
  if (errorCode === "VAL-002") return !["object", "array"].includes(expectedValue ?? "");
  return field !== undefined && !saysNothing(field.name);
}

/** The mean over the kinds of mistakes that the tool allows, each as often as it was counted. */
function shareOf(calls: readonly JudgedProof[]): number {
  let named = 0;
  let all = 0;
  for (const kind of new Set(calls.map((call) => call.kind))) {
    const group = calls.filter((call) => call.kind === kind);
    const weight = group[0]?.weight ?? 0;
    all += weight;
    named += (weight * group.filter(({ isNamed }) => isNamed).length) / group.length;
  }
  return all === 0 ? 1 : Math.round((named / all) * 1_000) / 1_000;
}
