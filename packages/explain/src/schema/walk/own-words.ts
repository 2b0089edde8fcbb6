import { type ErrorCode, type Finding, isRecord } from "../../shared/index.ts";
import { codeOfKeyword } from "../document/index.ts";
import { brokenLimit } from "../hints/index.ts";
import type { Visit } from "./walk.ts";

/** The keywords with which authors write what to say of a fault: that of ajv-errors, and its kin. */
const KEYWORDS = ["errorMessage", "errorMessages", "x-errorMessage", "x-error-message"];

const OF_FIELDS: ReadonlySet<ErrorCode> = new Set(["VAL-001", "VAL-005"]);

/** Adds what the author of a schema wrote for the faults that it finds in its own value. */
export function addOwnWords({ location, schema, outcome }: Visit): void {
  const words = KEYWORDS.map((name) => schema[name]).find((one) => one !== undefined);
  if (words === undefined) return;
  const { level } = location.place;
  for (const [index, finding] of outcome.findings.entries()) {
    if (finding.own !== undefined) continue;
    const own = wordsFor(words, finding, schema, level);
    if (own !== undefined) outcome.findings[index] = { ...finding, own };
  }
}

function wordsFor(
  words: unknown,
  finding: Finding,
  schema: Visit["schema"],
  level: number,
): string | undefined {
  const { path, code } = finding;
  const isHere = path.length === level;
  const isOfField = path.length === level + 1 && OF_FIELDS.has(code);
  if (typeof words === "string") return isHere || isOfField ? textOf(words) : undefined;
  if (!isRecord(words)) return undefined;
  const name = String(path[level]);
  const ofPart = isHere ? undefined : partWords(words, name, code, path.length === level + 1);
  if (ofPart !== undefined) return ofPart;
  if (!isHere && !isOfField) return undefined;
  const keyword = Object.keys(words).find(
    (one) => Object.hasOwn(schema, one) && isBroken(one, finding, schema),
  );
  return textOf(keyword === undefined ? words["_"] : words[keyword]);
}

/** What is written for a field or an item that is missing or wrong. */
function partWords(
  words: Readonly<Record<string, unknown>>,
  name: string,
  code: ErrorCode,
  isItself: boolean,
): string | undefined {
  if (!isItself) return undefined;
  const { required, properties, items } = words;
  const lists = code === "VAL-001" ? [required] : [properties, items];
  const of = lists.find((list) => typeof list === "object" && list !== null);
  return textOf((of as Readonly<Record<string, unknown>> | undefined)?.[name]);
}

/** Whether a finding is about a keyword of its schema. */
function isBroken(keyword: string, { code, actual }: Finding, schema: Visit["schema"]): boolean {
  if (codeOfKeyword(keyword) !== code) return false;
  const value = actual?.value;
  const limit = schema[keyword];
  if (/^(?:min|max)(?:Length|Items|Properties)$/.test(keyword) && typeof limit === "number") {
    const length = sizeOf(value);
    return keyword.startsWith("min") ? length < limit : length > limit;
  }
  if (code !== "VAL-003" || typeof value !== "number") return code !== "VAL-003";
  const side = brokenLimit(schema, value);
  if (keyword === "multipleOf") return side === undefined;
  return side !== undefined && keyword.toLowerCase().includes(side);
}

function sizeOf(value: unknown): number {
  if (typeof value === "string") return Array.from(value).length;
  return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
}

/** Words as they are; a template would be shown with its gaps. */
function textOf(words: unknown): string | undefined {
  return typeof words === "string" && words.trim() !== "" && !words.includes("${")
    ? words
    : undefined;
}
