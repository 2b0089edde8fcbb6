import { type ErrorCode, isRecord } from "../../shared/index.ts";
import { type IssueReader, type IssueReading, broken, WANTS_DATE, wrongType } from "./issue.ts";

type ArkIssue = Readonly<Record<string, unknown>>;

const LENGTHS: ReadonlyMap<unknown, readonly ("min" | "max")[]> = new Map([
  ["minLength", ["min"]],
  ["maxLength", ["max"]],
  ["exactLength", ["min", "max"]],
]);

/** Reads an issue of arktype. */
export const readArktypeIssue: IssueReader = (issue, readInner) => {
  const { code, rule, exclusive } = issue;
  switch (code) {
    case "domain":
      return wrongDomain(issue["domain"]);
    case "proto":
      return wrongPrototype(issue["proto"]);
    case "unit":
      return broken("VAL-008", { enum: [issue["unit"]] });
    case "required":
      return broken("VAL-001");
    case "min":
    case "max":
      return broken("VAL-003", { type: "number", [limitKeyword(code, exclusive)]: rule });
    case "divisor":
      return rule === 1
        ? broken("VAL-002", { type: "integer" })
        : broken("VAL-003", { type: "number", multipleOf: rule });
    case "pattern":
      return wrongPattern(rule, issue["meta"]);
    case "minLength":
    case "maxLength":
    case "exactLength":
      return wrongLength(issue);
    case "intersection":
      return { kind: "several", issues: readInner(issue["errors"], false) };
    case "union":
      return { kind: "union", branches: innerOf(issue).map((inner) => readInner([inner], false)) };
    case "predicate":
      return readPredicate(issue);
    default:
      return { kind: "opaque" };
  }
};

function limitKeyword(side: "min" | "max", exclusive: unknown): string {
  return exclusive === true ? `exclusive${side === "min" ? "Min" : "Max"}imum` : `${side}imum`;
}

function wrongDomain(domain: unknown): IssueReading {
  return wrongType("VAL-002", domain);
}

function wrongPrototype(proto: unknown): IssueReading {
  if (proto === Array) return broken("VAL-002", { type: "array" });
  if (proto === Date) return WANTS_DATE;
  return wrongType("VAL-002", typeof proto === "function" ? proto.name : undefined);
}

/** A pattern with a description is a format: its source may be longer than any message. */
function wrongPattern(pattern: unknown, meta: unknown): IssueReading {
  const description = isRecord(meta) ? meta["description"] : undefined;
  if (typeof description !== "string") return broken("VAL-007", { type: "string", pattern });
  return broken("VAL-010", { type: "string", format: description.replace(/^an? /, "") });
}

function wrongLength(issue: ArkIssue): IssueReading {
  const [code, type, suffix]: readonly [ErrorCode, string, string] = Array.isArray(issue["data"])
    ? ["VAL-006", "array", "Items"]
    : ["VAL-009", "string", "Length"];
  const sides = LENGTHS.get(issue["code"]) ?? [];
  return broken(
    code,
    Object.fromEntries([
      ["type", type],
      ...sides.map((side) => [side + suffix, issue["rule"]] as const),
    ]),
  );
}

/** The library also reports its own rules as predicates; only those have `meta`. */
function readPredicate(issue: ArkIssue): IssueReading {
  if (issue["meta"] === undefined) return ownRule(issue);
  if (issue["expected"] === "removed" && issue["actual"] === "") return broken("VAL-005");
  const namesValues = typeof issue["expected"] === "string" && issue["expected"].startsWith('"');
  return namesValues && typeof issue["actual"] === "string" ? { kind: "tag" } : { kind: "opaque" };
}

/** Only the author's words: the library's message around them repeats the path and the value. */
function ownRule(issue: ArkIssue): IssueReading {
  const { input, expected } = issue;
  const isWorded =
    isRecord(input) && (input["message"] !== undefined || input["problem"] !== undefined);
  return typeof expected === "string" && !isWorded
    ? { kind: "rule", message: `must be ${expected}` }
    : { kind: "rule" };
}

/** What the author configured to be said of an issue; the library's message repeats path and value around it. */
export function arktypeWords(issue: ArkIssue, message: string): string | undefined {
  const { meta, problem, expected } = issue;
  if (!isRecord(meta)) return undefined;
  if (meta["message"] !== undefined) return message;
  if (meta["problem"] !== undefined) return typeof problem === "string" ? problem : undefined;
  return meta["expected"] !== undefined && typeof expected === "string"
    ? `must be ${expected}`
    : undefined;
}

function innerOf(issue: ArkIssue): readonly unknown[] {
  return Array.isArray(issue["errors"]) ? issue["errors"] : [];
}
