import type { SchemaObject } from "@toolcontract/core";
import {
  letterSlips,
  misspellings,
  renamed,
  type Spelling,
  unlike,
  wordsIn,
} from "./misspellings.ts";

/** A value and the kind of slip that leads to it. */
export type Form = readonly [kind: string, wrong: unknown];

/** The forms in which a model may send a value of a schema: a wrong spelling, quotes, a list in a string, a wrapper. */
export function formsOf(value: unknown, schema: SchemaObject): readonly Form[] {
  const values = schema["enum"];
  if (Array.isArray(values) && typeof value === "string")
    return enumSlips(value).filter(([, wrong]) => !values.includes(wrong));
  const wrapped = ["value: wrapper", { value }] as const;
  if (typeof value === "number")
    return [["value: quotes", String(value)], ["value: list of one", [value]], wrapped];
  if (typeof value === "boolean")
    return [
      ["value: quotes", String(value)],
      ["value: yes or no", value ? "yes" : "No"],
      ["value: yes or no", Number(value)],
      ["value: list of one", [value]],
    ];
  if (typeof value === "string")
    return [
      ["value: list of one", [value]],
      wrapped,
      ...(/^\d+$/.test(value) && !value.startsWith("0")
        ? [["value: number", Number(value)] as const]
        : []),
    ];
  if (Array.isArray(value)) return arraySlips(value);
  return [
    ["value: JSON text", JSON.stringify(value)],
    ["value: list of one", [value]],
  ];
}

function arraySlips(value: readonly unknown[]): readonly Form[] {
  const areTexts = value.every((item) => typeof item === "string");
  const areNumbers = value.every((item) => typeof item === "number");
  const [only] = value;
  return [
    ["value: JSON text", JSON.stringify(value)],
    ["value: wrapper", { items: value }],
    ...(value.length === 1 ? [["value: no list", only] as const] : []),
    ...(areTexts && value.length > 1
      ? [", ", ",", "; ", "\n"].map((between) => inText(value.join(between)))
      : []),
    ...(areTexts && value.length > 1
      ? [inText(`- ${value.join("\n- ")}`), inText(`'${value.join("', '")}'`)]
      : []),
    ...(areNumbers && value.length > 1
      ? [", ", ",", "; "].map((between) => inText(value.join(between)))
      : []),
  ];
}

function inText(list: string): Form {
  return ["value: list in text", list];
}

function enumSlips(value: string): readonly Form[] {
  const words = wordsIn(value).map((word) => word.toLowerCase());
  const spellings: readonly Spelling[] = [
    ["enum: case", value.toUpperCase()],
    ["enum: case", value.toLowerCase()],
    ["enum: case", value.charAt(0).toUpperCase() + value.slice(1)],
    ["enum: separator", words.join("-")],
    ["enum: separator", words.join("_")],
    ["enum: separator", words.join(" ")],
    ["enum: plural", `${value}s`],
    ["enum: remark", `${value} (default)`],
    ...letterSlips(value, Math.floor(value.length / 2))
      .filter(() => value.length > 3)
      .map((wrong) => ["enum: letter", wrong] as const),
  ];
  return unlike(spellings, value);
}

/** A misspelt key inside a nested object. */
export function nestedSlips(value: unknown, schema: SchemaObject): readonly Form[] {
  if (Array.isArray(value)) {
    const [first, ...rest] = value as readonly unknown[];
    const inner = schema["items"] as SchemaObject | undefined;
    if (inner === undefined || typeof first !== "object") return [];
    return nestedSlips(first, inner).map(([kind, wrong]) => [kind, [wrong, ...rest]]);
  }
  const properties = schema["properties"] as Readonly<Record<string, SchemaObject>> | undefined;
  if (typeof value !== "object" || value === null || properties === undefined) return [];
  const fields = value as Readonly<Record<string, unknown>>;
  return [
    ...Object.keys(fields).flatMap((key) =>
      misspellings(key, "")
        .filter(([kind, wrong]) => kind !== "key: prefix" && !(wrong in properties))
        .map(([kind, wrong]) => [kind, renamed(fields, key, wrong)] as const),
    ),
    ...Object.entries(properties).flatMap(([name, inner]) =>
      name in fields
        ? formsOf(fields[name], inner).map(
            ([kind, wrong]) => [kind, { ...fields, [name]: wrong }] as const,
          )
        : [],
    ),
  ];
}
