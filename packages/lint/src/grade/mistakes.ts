import { isRecord } from "@toolcontract/explain/adapter";
import { declaredTypes, sampleOf } from "../proof/index.ts";
import { type FieldPlace, type DeclaredTool, join } from "../shared/index.ts";
import { valuesInProse } from "../rules/index.ts";

/** A call as models really make it wrong. */
export interface Mistake {
  /** What was done, such as `missing`. */
  readonly kind: string;
  /** How many of the measured calls were of this kind. */
  readonly weight: number;
  /** Where. */
  readonly path: string;
  readonly arguments: unknown;
  /** A validator cannot notice it, although it is wrong. */
  readonly isSilent: boolean;
}

interface Kind {
  readonly kind: string;
  readonly weight: number;
  /** The wrong value of a field; `LEFT_OUT`, or undefined if the kind does not apply. */
  readonly spoil: (field: FieldPlace, value: unknown) => unknown;
}

const LEFT_OUT = Symbol("left out");
const MAX_FIELDS = 12;

const hasType = ({ node }: FieldPlace, ...types: readonly string[]): boolean =>
  (declaredTypes(node) ?? []).some((type) => types.includes(type));

/** The kinds of mistakes with their counts among 143,117 real calls (docs/lint.md). */
const KINDS: readonly Kind[] = [
  { kind: "missing", weight: 486, spoil: ({ isRequired }) => (isRequired ? LEFT_OUT : undefined) },
  {
    kind: "null for an optional field",
    weight: 271,
    spoil: ({ isRequired }) => (isRequired ? undefined : null),
  },
  {
    kind: "one value for a list",
    weight: 260,
    spoil: (field, value) =>
      hasType(field, "array")
        ? Array.isArray(value)
          ? (value[0] ?? "example")
          : "example"
        : undefined,
  },
  {
    kind: "text for a number or an object",
    weight: 153,
    spoil: (field) =>
      hasType(field, "number", "integer", "object") && !hasType(field, "string")
        ? "unknown"
        : undefined,
  },
  {
    kind: "a list for one value",
    weight: 141,
    spoil: (field, value) =>
      hasType(field, "string", "number", "integer") && !hasType(field, "array")
        ? [value, value]
        : undefined,
  },
  { kind: "a value outside the enum", weight: 132, spoil: (field) => outsideEnum(field) },
  {
    kind: "a number for a string",
    weight: 108,
    spoil: (field) =>
      hasType(field, "string") && !hasType(field, "number", "integer") ? 12 : undefined,
  },
  {
    kind: "a number or boolean in quotes",
    weight: 96,
    spoil: (field, value) =>
      hasType(field, "number", "integer", "boolean") && !hasType(field, "string")
        ? String(value)
        : undefined,
  },
  {
    kind: "a fraction for a whole number",
    weight: 85,
    spoil: (field) => (hasType(field, "integer") && !hasType(field, "number") ? 1.5 : undefined),
  },
  {
    kind: "null for a required field",
    weight: 52,
    spoil: ({ isRequired }) => (isRequired ? null : undefined),
  },
];

/** Fields that nobody declared. */
const UNDECLARED = { kind: "an undeclared field", weight: 278 };

function outsideEnum({ node }: FieldPlace): unknown {
  const { enum: values } = node;
  const known = Array.isArray(values) ? values : valuesInProse(node);
  const first: unknown = known?.find((value) => typeof value === "string" && value !== "");
  if (typeof first !== "string") return undefined;
  const other = first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase();
  return other === first || known?.includes(other) === true ? `${first}_other` : other;
}

/** Makes the calls that models would make wrong, one mistake each. */
export function mistakesOf(facts: DeclaredTool): readonly Mistake[] {
  const { tool, parts, fields } = facts;
  if (!parts || !isRecord(tool.inputSchema)) return [];
  const sample = sampleOf(tool.inputSchema, parts);
  if (!isRecord(sample)) return [];
  const own = fields.filter(({ pointer }) => pointer.split("/").length === 3).slice(0, MAX_FIELDS);
  if (own.length === 0) return [];
  const spoilt = KINDS.flatMap(({ kind, weight, spoil }) =>
    own.flatMap((field): Mistake[] => {
      const value = spoil(field, sample[field.name]);
      if (value === undefined) return [];
      const { [field.name]: _, ...others } = sample;
      const args = value === LEFT_OUT ? others : { ...sample, [field.name]: value };
      const isSilent = kind === "a value outside the enum" && !Object.hasOwn(field.node, "enum");
      return [{ kind, weight, path: join("", field.name), arguments: args, isSilent }];
    }),
  );
  const undeclared: Mistake = {
    ...UNDECLARED,
    path: "/reason_for_call",
    arguments: { ...sample, reason_for_call: "example" },
    isSilent: true,
  };
  return [...spoilt, undeclared];
}
