import ts from "typescript";
import { mutationsOf, type Kind } from "./mutations.ts";

/** One small change of a file. */
export interface Mutant {
  /** From the root of the repository. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
  readonly original: string;
  readonly replacement: string;
  /** Where a run passes that reaches it. */
  readonly place: Place;
}

/** A statement, or the expression that an arrow function returns. */
export interface Place {
  readonly start: number;
  readonly end: number;
  /** `bare`: the statement of an `if` or a loop without braces. */
  readonly kind: "statement" | "bare" | "returned";
  /** It runs once, while its file loads. */
  readonly isStatic: boolean;
}

/** Every mutant of a file, in source order. */
export function findMutants(file: string, text: string): readonly Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    if (isSkipped(node)) return;
    for (const { kind, start, end, replacement } of mutationsOf(node, source)) {
      const line = source.getLineAndCharacterOfPosition(start).line + 1;
      const original = text.slice(start, end);
      const place = placeOf(node, source);
      mutants.push({ file, line, kind, start, end, original, replacement, place });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants.toSorted((a, b) => a.start - b.start || a.end - b.end);
}

export function applyMutant({ start, end, replacement }: Mutant, text: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** Types, imports and exports do nothing at run time. */
function isSkipped(node: ts.Node): boolean {
  return (
    ts.isTypeNode(node) ||
    ts.isTypeParameterDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node)
  );
}

function placeOf(node: ts.Node, source: ts.SourceFile): Place {
  let inner = node;
  while (kindOfPlace(inner) === undefined) inner = inner.parent;
  const kind = kindOfPlace(inner) ?? "statement";
  return { start: inner.getStart(source), end: inner.end, kind, isStatic: isStatic(inner) };
}

function kindOfPlace(node: ts.Node): Place["kind"] | undefined {
  const { parent } = node;
  if (parent === undefined) return "statement";
  if (ts.isArrowFunction(parent) && parent.body === node && !ts.isBlock(node)) return "returned";
  if (!ts.isStatement(node) || ts.isBlock(node)) return undefined;
  const isListed =
    ts.isSourceFile(parent) || ts.isBlock(parent) || ts.isCaseOrDefaultClause(parent);
  if (isListed) return "statement";
  // A label belongs to the loop that it names.
  return ts.isLabeledStatement(parent) ? undefined : "bare";
}

function isStatic(place: ts.Node): boolean {
  let node: ts.Node | undefined = place.parent;
  while (node !== undefined && !ts.isFunctionLike(node)) node = node.parent;
  return node === undefined;
}
