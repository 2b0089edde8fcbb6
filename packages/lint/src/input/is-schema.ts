import { keywordKinds, readType } from "@toolcontract/explain/adapter";
import type { JsonObject } from "../shared/index.ts";

/** The keywords that make an object a schema, if their values are those of keywords. */
const KEYWORDS =
  "enum properties required items prefixItems anyOf oneOf allOf not if $ref additionalProperties patternProperties".split(
    " ",
  );
const KINDS = keywordKinds("2020-12");
const LOUD = /^[A-Z]+$/;

/** Whether an object is a JSON Schema: not a manifest, the settings of a program, or a tool that a provider runs itself. */
export function isBareSchema(value: JsonObject): boolean {
  if (KEYWORDS.some((keyword) => isKeyword(value, keyword)) || Object.hasOwn(value, "const"))
    return true;
  const { type } = value;
  if (Array.isArray(type)) return true;
  if (typeof type !== "string") return false;
  const name = LOUD.test(type) ? type.toLowerCase() : type;
  return readType({ ...value, type: name }).kind === "meant";
}

function isKeyword(value: JsonObject, keyword: string): boolean {
  const member = value[keyword];
  return member !== undefined && KINDS[keyword]?.(member) === true;
}
