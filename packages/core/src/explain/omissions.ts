import type { PathSegment } from "../fault.ts";
import { withoutHint } from "../fault.ts";
import { LEAVE_OUT } from "./list-words.ts";
import { isRecord } from "./json-type.ts";
import type { Finding } from "../fault.ts";

// Each takes a copy of the containers around it.
const MAX_TRIED = 5;

/** Drops the advice to leave a null out where another part of the schema would then ask for the field. */
export function withoutWrongOmissions(
  findings: readonly Finding[],
  value: unknown,
  explainAgain: (value: unknown) => readonly Finding[],
): readonly Finding[] {
  const tried = findings.filter(isOmission).slice(0, MAX_TRIED);
  if (tried.length === 0) return findings;
  const rest = tried.reduce((whole, { path }) => withoutField(whole, path), value);
  const missing = new Set(
    explainAgain(rest)
      .filter(({ code }) => code === "VAL-001" || code === "VAL-014")
      .map(({ path }) => JSON.stringify(path)),
  );
  return findings.map((finding) => {
    const isWrong = isOmission(finding) && missing.has(JSON.stringify(finding.path));
    return isWrong ? withoutHint(finding) : finding;
  });
}

function isOmission({ hint, actual }: Finding): boolean {
  return hint === LEAVE_OUT && actual?.value === null;
}

function withoutField(value: unknown, [segment, ...rest]: readonly PathSegment[]): unknown {
  if (segment === undefined) return value;
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) =>
      index === segment ? withoutField(item, rest) : item,
    );
  }
  if (!isRecord(value)) return value;
  const { [segment]: inner, ...others } = value;
  return rest.length === 0 ? others : { ...others, [segment]: withoutField(inner, rest) };
}
