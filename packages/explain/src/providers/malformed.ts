import { isRecord } from "../shared/index.ts";
import { isSchema, keywordKinds } from "../schema/index.ts";

type Fits = (value: unknown) => boolean;

const isText: Fits = (value) => typeof value === "string";
const isTruth: Fits = (value) => typeof value === "boolean";
const isSize: Fits = (value) => Number.isInteger(value) && Number(value) >= 0;
const isSchemas: Fits = (value) =>
  Array.isArray(value) && value.length > 0 && value.every(isSchema);
const isMapOfSchemas: Fits = (value) => isRecord(value) && Object.values(value).every(isSchema);
const isUnique = (values: readonly unknown[]): boolean => new Set(values).size === values.length;

const KINDS = keywordKinds("2020-12");

/** What the meta-schema of draft 2020-12 asks beyond the kinds of values: sizes, and what annotations are. */
const STRICTER: Readonly<Record<string, Fits>> = {
  ...Object.fromEntries(["anyOf", "oneOf", "allOf", "prefixItems"].map((one) => [one, isSchemas])),
  ...Object.fromEntries(
    ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"].map((one) => [
      one,
      isMapOfSchemas,
    ]),
  ),
  ...Object.fromEntries(
    ["Length", "Items", "Properties", "Contains"].flatMap((what) => [
      [`min${what}`, isSize],
      [`max${what}`, isSize],
    ]),
  ),
  ...Object.fromEntries(
    ["title", "description", "$comment", "$schema", "$id", "contentEncoding"].map((one) => [
      one,
      isText,
    ]),
  ),
  ...Object.fromEntries(["deprecated", "readOnly", "writeOnly"].map((one) => [one, isTruth])),
  examples: Array.isArray,
  multipleOf: (value) => typeof value === "number" && value > 0,
  required: (value) => KINDS["required"]?.(value) === true && isUnique(value as unknown[]),
  type: (value) =>
    KINDS["type"]?.(value) === true &&
    (!Array.isArray(value) || (value.length > 0 && isUnique(value))),
};

const FITS: ReadonlyMap<string, Fits> = new Map(Object.entries({ ...KINDS, ...STRICTER }));

/** Whether the meta-schema of draft 2020-12 takes the value of a keyword. */
export function isWellFormedKeyword(keyword: string, value: unknown): boolean {
  return FITS.get(keyword)?.(value) ?? true;
}
