import {
  type Finding,
  type PathSegment,
  hasField,
  isRecord,
  withoutHint,
} from "../../shared/index.ts";
import type { Walk } from "../walk/index.ts";

// Each costs one more walk.
const MAX_TRIED = 10;
/** In larger values hints are not tried: each copies the containers around it. */
const MAX_NODES = 5_000;
/** The most nodes that are copied for all hints together, and again for each hint that is tried. */
const MAX_COPIED = 50_000;

/**
 * Drops the hints that do not help: if following one leaves its place faulty, the next message would send the model in a
 * circle.
 *
 * @param explainAgain - Explains another value by the same schema.
 * @param namesOf - The names of an object's fields.
 */
export function withHelpfulHints(
  findings: readonly Finding[],
  value: unknown,
  explainAgain: (value: unknown) => readonly Finding[],
  namesOf: Walk["namesOf"],
): readonly Finding[] {
  const count = findings.filter(({ hint }) => hint !== undefined).length;
  if (count === 0 || isLarge(value, Math.min(MAX_NODES, MAX_COPIED / count), namesOf))
    return findings;
  // A misspelt field has faults under its right name.
  const named = findings.reduce(renamed, value);
  const hinted = findings.filter((finding) => followed(named, finding) !== undefined);
  if (hinted.length === 0) return findings;
  // Inner places first, so that no change moves another's place; in most calls all hints help.
  const inward = hinted.toSorted((a, b) => b.path.length - a.path.length);
  const all = inward.reduce<unknown>((at, finding) => followed(at, finding) ?? at, named);
  const doubtful = suspects(hinted, explainAgain(all));
  const tried = [...doubtful].slice(0, MAX_TRIED);
  const helpful = new Set(
    tried.filter((one) => suspects([one], explainAgain(followed(named, one))).size === 0),
  );
  return findings.map((finding) =>
    doubtful.has(finding) && !helpful.has(finding) ? unhinted(finding) : finding,
  );
}

function isLarge(root: unknown, most: number, namesOf: Walk["namesOf"]): boolean {
  const pending: unknown[] = [root];
  let count = 0;
  while (pending.length > 0) {
    const value = pending.pop();
    if (!isContainer(value)) continue;
    count += Array.isArray(value) ? value.length : namesOf(value).length;
    // Before anything of it is read.
    if (count > most) return true;
    pending.push(...Object.values(value));
  }
  return false;
}

/** Moves the value of a misspelt field to its right name. */
function renamed(root: unknown, { path, renameTo, misnamedAs }: Finding): unknown {
  const holder = path.slice(0, -1).reduce<unknown>(childOf, root);
  const [from, to] = misnamedAs === undefined ? [path.at(-1), renameTo] : [misnamedAs, path.at(-1)];
  if (!isRecord(holder) || from === undefined || to === undefined) return root;
  if (!Object.hasOwn(holder, from) || Object.hasOwn(holder, to)) return root;
  const { [from]: moved, ...others } = holder;
  return withValue(root, path.slice(0, -1), { ...others, [to]: moved });
}

/** The hinted findings whose place is faulty in what the hints made of the value. */
function suspects(hinted: readonly Finding[], after: readonly Finding[]): ReadonlySet<Finding> {
  const faulty = new Map<string, Finding[]>();
  for (const finding of after) {
    const place = JSON.stringify(finding.path);
    faulty.set(place, [...(faulty.get(place) ?? []), finding]);
  }
  return new Set(
    hinted.filter(({ path, hint, code }) => {
      const there = faulty.get(JSON.stringify(path)) ?? [];
      // What was left out is faulty only if it is now missing.
      return hint?.kind === "leave-out"
        ? there.some((one) => one.code === code || one.code === "VAL-001" || one.code === "VAL-014")
        : there.length > 0;
    }),
  );
}

/** The finding without its hint, and with all values: beside the hint only the first were listed. */
function unhinted(finding: Finding): Finding {
  const { expected, ...rest } = withoutHint(finding);
  if (expected === undefined) return rest;
  if (expected.kind !== "values" && expected.kind !== "fields") return { ...rest, expected };
  const { brief: _, ...whole } = expected;
  return { ...rest, expected: whole };
}

/**
 * Does what a hint says of the value at its place; undefined for a hint that changes no value there, and for a place
 * that exists only once another hint was followed.
 */
function followed(root: unknown, { path, hint, actual, nested }: Finding): unknown {
  if (hint === undefined) return undefined;
  const holder = path.slice(0, -1).reduce<unknown>(childOf, root);
  if (path.length > 0 && !isContainer(holder)) return undefined;
  const sent = actual?.value;
  if (sent !== undefined && path.reduce<unknown>(childOf, root) !== sent) return undefined;
  switch (hint.kind) {
    case "leave-out":
      return withoutMember(root, path);
    case "stringify":
      return withValue(root, path, JSON.stringify(hint.value));
    case "use":
    case "send-array":
      return withValue(root, path, hint.value);
    case "unquote":
      return withValue(root, path, JSON.parse(hint.literal));
    case "unstringify":
      return nested && withValue(root, path, nested.value);
    case "wrap-in-array":
      return withValue(root, path, [sent]);
    case "unwrap-array":
    case "unwrap-object":
      return isContainer(sent) ? withValue(root, path, Object.values(sent)[0]) : undefined;
    default:
      return undefined;
  }
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function childOf(value: unknown, segment: PathSegment): unknown {
  return isContainer(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
}

/** A copy with another value at a place whose holder exists; a missing field is added. */
function withValue(
  root: unknown,
  [segment, ...rest]: readonly PathSegment[],
  next: unknown,
): unknown {
  if (segment === undefined) return next;
  if (Array.isArray(root))
    return root.map((item: unknown, index) =>
      index === segment ? withValue(item, rest, next) : item,
    );
  if (!isRecord(root)) return root;
  return { ...root, [segment]: withValue(childOf(root, segment), rest, next) };
}

function withoutMember(root: unknown, path: readonly PathSegment[]): unknown {
  const holder = path.slice(0, -1).reduce<unknown>(childOf, root);
  const name = path.at(-1);
  if (!isRecord(holder) || name === undefined) return root;
  const { [name]: _, ...others } = holder;
  return withValue(root, path.slice(0, -1), others);
}

/** Hints that an unknown field of an object belongs beside it, where the whole declares a field of its name. */
export function withMovesUp(
  findings: readonly Finding[],
  root: unknown,
  schema: unknown,
): readonly Finding[] {
  const { properties } = isRecord(schema) ? schema : {};
  if (!isRecord(properties) || !isRecord(root)) return findings;
  return findings.map((finding) => {
    const { code, path, renameTo, hint } = finding;
    const [, name, ...deeper] = path;
    if (code !== "VAL-005" || renameTo !== undefined || typeof name !== "string") return finding;
    const isOpen = hint === undefined || hint.kind === "leave-out" || hint.kind === "no-option";
    const belongs = Object.hasOwn(properties, name) && !hasField(root, name);
    return isOpen && deeper.length === 0 && belongs
      ? { ...finding, hint: { kind: "move-up" } }
      : finding;
  });
}
