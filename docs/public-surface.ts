import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { sentenceOf } from "./llms.ts";

/** A published entry of a package, by the name under which it is imported. */
export interface Entry {
  readonly name: string;
  readonly file: string;
}

/** An exported name. */
export interface ExportedName {
  readonly name: string;
  /** What it is at run time, as a line of code; a type has none. */
  readonly signatures: readonly string[];
  /** The first sentence of its TSDoc. */
  readonly summary: string;
  /** True for a function. */
  readonly isFunction: boolean;
  /** The programs of its `@example` tags. */
  readonly examples: readonly string[];
  /** The pages of its `@see` tags. */
  readonly pages: readonly string[];
  /** What lacks TSDoc: the name itself or some of its members. */
  readonly undocumented: readonly string[];
  /** The optional members whose default is in the prose of their TSDoc, and in no `@default`. */
  readonly proseDefaults: readonly string[];
  /** Of a bag of options, the optional numbers, flags and choices without a `@default`. */
  readonly undefaulted: readonly string[];
}

/** The folders of the packages that are imported. */
export const PACKAGES = [
  "ai-sdk",
  "config",
  "conformance",
  "core",
  "explain",
  "guardrails",
  "langchain",
  "lint",
  "mastra",
  "mcp",
  "openai-agents",
  "session",
  "stores",
] as const;

// These mean the same everywhere.
const SELF_EVIDENT = new Set(["id", "name", "signal", "toolName", "toolCallId"]);

/** Whether an entry is for our packages alone: it promises nothing from one minor version to the next. */
export function isBetweenPackages({ name }: Entry): boolean {
  return /\/(?:(?:standard-)?adapter|options|command|tokens|tools)$/.test(name);
}

/** Every entry of these packages, read from the manifests. */
export function publicEntries(folders: readonly string[] = PACKAGES): readonly Entry[] {
  return folders.flatMap((folder) => {
    const root = new URL(`../packages/${folder}/`, import.meta.url);
    const manifest = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
      readonly name: string;
      readonly exports: Readonly<Record<string, string>>;
    };
    return Object.entries(manifest.exports)
      .filter(([, path]) => path.endsWith(".ts"))
      .map(([key, path]) => ({
        name: manifest.name + key.slice(1),
        file: fileURLToPath(new URL(path, root)),
      }));
  });
}

/** Reads what entries export, types included; without libraries, what comes from them is `any` in a signature. */
export function readExports(
  entries: readonly Entry[],
  { withLibraries = true } = {},
): (entry: Entry) => readonly ExportedName[] {
  const unread = withLibraries ? UNSHOWN : LIBRARY;
  const program = createProgram(
    entries.map(({ file }) => file),
    unread,
  );
  const checker = program.getTypeChecker();
  return ({ file }) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    const symbols = module ? checker.getExportsOfModule(module) : [];
    return symbols
      .map((symbol) => ({
        name: symbol.name,
        signatures: signaturesOf(symbol, checker),
        ...tagsOf(targetOf(symbol, checker) ?? symbol, checker),
        summary: summaryOf(targetOf(symbol, checker) ?? symbol, checker),
        ...membersIn(symbol, checker),
        undefaulted: undefaultedIn(targetOf(symbol, checker) ?? symbol, checker),
      }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  };
}

const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
  noEmit: true,
  skipLibCheck: true,
  strict: true,
  target: ts.ScriptTarget.ES2023,
  lib: ["lib.es2023.d.ts"],
};

const FOLDER = "/node_modules/";

/** The scope of the package in which a file is, or its name if it has none. */
function scopeOf(path: string): string {
  return path.split(FOLDER).at(-1)?.split("/")[0] ?? "";
}

/** Large, and nothing that we export shows their types: they would be `any` in docs/api. */
const UNSHOWN = /^@mastra\//;
/** Whatever is not of this repository. */
const LIBRARY = /^(?!\.|@toolcontract\/)/;

/** What a library imports of another for a type that we export. */
const SHOWN = /^@ai-sdk\/(?:gateway|provider)$/;

/** Sources with the libraries that they import, but not what a library imports of others, which is half of all text. */
function createProgram(files: readonly string[], unread: RegExp): ts.Program {
  const host = ts.createCompilerHost(OPTIONS);
  const cache = ts.createModuleResolutionCache(host.getCurrentDirectory(), (name) => name, OPTIONS);
  host.resolveModuleNameLiterals = (literals, from, redirected, options, source) =>
    literals.map((literal) => {
      const name = literal.text;
      const isOther = !name.startsWith(".") && !SHOWN.test(name) && scopeOf(name) !== scopeOf(from);
      if (unread.test(name) || (from.includes(FOLDER) && isOther))
        return { resolvedModule: undefined };
      const mode = ts.getModeForUsageLocation(source, literal, options);
      return ts.resolveModuleName(name, from, options, host, cache, redirected, mode);
    });
  return ts.createProgram(files, OPTIONS, host);
}

/** How a value is called, or what it is. */
function signaturesOf(exported: ts.Symbol, checker: ts.TypeChecker): readonly string[] {
  const symbol = targetOf(exported, checker) ?? exported;
  if ((symbol.flags & ts.SymbolFlags.Value) === 0) return [];
  const { name } = exported;
  if ((symbol.flags & ts.SymbolFlags.Class) !== 0) return [`class ${name}`];
  const type = checker.getTypeOfSymbol(symbol);
  const calls = type.getCallSignatures();
  if (calls.length === 0) return [`const ${name}`];
  const { NoTruncation } = ts.TypeFormatFlags;
  return calls.map((call) => name + checker.signatureToString(call, undefined, NoTruncation));
}

/** What a symbol's TSDoc shows besides words. */
function tagsOf(
  symbol: ts.Symbol,
  checker: ts.TypeChecker,
): Pick<ExportedName, "isFunction" | "examples" | "pages"> {
  const tags = symbol.getJsDocTags(checker);
  const textsOf = (name: string): readonly string[] =>
    tags.filter((tag) => tag.name === name).map(({ text }) => ts.displayPartsToString(text));
  return {
    isFunction: (symbol.flags & ts.SymbolFlags.Function) !== 0,
    examples: [
      ...new Set(textsOf("example").flatMap((text) => /^```ts\n(.*)\n```$/s.exec(text)?.[1] ?? [])),
    ],
    // The compiler reads the first word of a path as a name.
    pages: [...new Set(textsOf("see").map((text) => text.replaceAll(/\s/g, "")))],
  };
}

/** The first sentence of a symbol's TSDoc. */
function summaryOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  return sentenceOf(text.split(/\n\n/)[0] ?? "");
}

/** What is missing from the TSDoc of a name and of its members. */
function membersIn(
  exported: ts.Symbol,
  checker: ts.TypeChecker,
): Pick<ExportedName, "undocumented" | "proseDefaults"> {
  const symbol = targetOf(exported, checker) ?? exported;
  const proseDefaults: string[] = [];
  const missing = isDocumented(symbol, checker) ? [] : [symbol.name];
  const seen = new Set<ts.Symbol>();

  /** Visits the members of objects, also of those in unions, in lists and in other members. */
  function visit(type: ts.Type, path: string): void {
    for (const part of type.isUnion() ? type.types : [type]) {
      if ((part.flags & ts.TypeFlags.Object) === 0 && !part.isIntersection()) continue;
      for (const member of part.getProperties()) {
        if (seen.has(member) || !isOurs(member)) continue;
        seen.add(member);
        const name = `${ownerOf(member) ?? path}.${member.name}`;
        if (!isDocumented(member, checker) && !isSelfEvident(member, checker)) missing.push(name);
        if (hasProseDefault(member, checker)) proseDefaults.push(name);
        visit(checker.getTypeOfSymbol(member), name);
      }
      if (checker.isArrayType(part) || checker.isTupleType(part)) {
        for (const item of checker.getTypeArguments(part as ts.TypeReference)) visit(item, path);
      }
    }
  }

  if ((symbol.flags & ts.SymbolFlags.Type) !== 0) {
    visit(checker.getDeclaredTypeOfSymbol(symbol), symbol.name);
  }
  if ((symbol.flags & ts.SymbolFlags.Value) !== 0) {
    for (const signature of checker.getTypeOfSymbol(symbol).getCallSignatures()) {
      for (const parameter of signature.getParameters()) {
        visit(checker.getTypeOfSymbol(parameter), `${symbol.name}(${parameter.name})`);
      }
      visit(signature.getReturnType(), `${symbol.name}()`);
    }
  }
  return { undocumented: missing, proseDefaults };
}

/** Whether the words of an optional member contain its default, which belongs in `@default`. */
function hasProseDefault(member: ts.Symbol, checker: ts.TypeChecker): boolean {
  if ((member.flags & ts.SymbolFlags.Optional) === 0) return false;
  const words = ts.displayPartsToString(member.getDocumentationComment(checker));
  const isTagged = member.getJsDocTags(checker).some(({ name }) => name === "default");
  return (
    !isTagged && /\bby default\b|\(default\b|, default\)|\bdefaults? to\b|\bDefault:/.test(words)
  );
}

/** The optional numbers, flags and choices of a bag of options that show no default. */
function undefaultedIn(symbol: ts.Symbol, checker: ts.TypeChecker): readonly string[] {
  if (!isBag(symbol.name) || (symbol.flags & ts.SymbolFlags.Type) === 0) return [];
  return checker
    .getDeclaredTypeOfSymbol(symbol)
    .getProperties()
    .filter((member) => isAlwaysOptional(member) && isOurs(member))
    .filter((member) => isScalar(checker.getNonNullableType(checker.getTypeOfSymbol(member))))
    .filter((member) => !member.getJsDocTags(checker).some(({ name }) => name === "default"))
    .map((member) => `${symbol.name}.${member.name}`);
}

/** Optional in every part of a union. */
function isAlwaysOptional({ declarations = [] }: ts.Symbol): boolean {
  return declarations.every(
    (declaration) => ts.isPropertySignature(declaration) && declaration.questionToken !== undefined,
  );
}

/** Whether a name is that of a bag of options. */
export function isBag(name: string): boolean {
  return name.endsWith("Options");
}

/** A number, a flag, or one of several literals. */
function isScalar(type: ts.Type): boolean {
  if (type.isUnion()) return type.types.every(isScalar);
  const { Number, BooleanLiteral } = ts.TypeFlags;
  return type.isLiteral() || (type.flags & (Number | BooleanLiteral)) !== 0;
}

function isDocumented(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  return symbol.getDocumentationComment(checker).some((part) => part.text.trim() !== "");
}

/** The type that declares a member, if it has a name. */
function ownerOf({ declarations = [] }: ts.Symbol): string | undefined {
  const owner = declarations[0]?.parent;
  const isNamed = owner && (ts.isInterfaceDeclaration(owner) || ts.isClassDeclaration(owner));
  return isNamed ? owner.name?.text : undefined;
}

/** Declared in a source of a package, and visible to its users. */
function isOurs({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some(
    (declaration) =>
      /\/packages\/[^/]+\/src\/(?!.*node_modules)/.test(declaration.getSourceFile().fileName) &&
      (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Private) === 0,
  );
}

/**
 * Whether a member needs no TSDoc: its type is a single literal or `never`, or a documented type of the same name
 * (`errors: readonly ValidationError[]`), or its name means the same everywhere.
 */
function isSelfEvident(member: ts.Symbol, checker: ts.TypeChecker): boolean {
  if (SELF_EVIDENT.has(member.name)) return true;
  const type = checker.getNonNullableType(checker.getTypeOfSymbol(member));
  if (type.isLiteral() || (type.flags & (ts.TypeFlags.Never | ts.TypeFlags.BooleanLiteral)) !== 0) {
    return true;
  }
  return (member.declarations ?? []).some((declaration) => {
    if (!ts.isPropertySignature(declaration) && !ts.isPropertyDeclaration(declaration))
      return false;
    const { node, isList } = itemOf(declaration.type);
    if (node === undefined || !ts.isTypeReferenceNode(node)) return false;
    const symbol = targetOf(checker.getSymbolAtLocation(node.typeName), checker);
    if (symbol === undefined || !isDocumented(symbol, checker)) return false;
    const name = isList ? member.name.replace(/s$/, "") : member.name;
    return symbol.name.toLowerCase().endsWith(name.toLowerCase());
  });
}

/** The type of a list's items, or the type itself. */
function itemOf(node: ts.TypeNode | undefined): { node: ts.TypeNode | undefined; isList: boolean } {
  const inner = node && ts.isTypeOperatorNode(node) ? node.type : node;
  return inner && ts.isArrayTypeNode(inner)
    ? { node: inner.elementType, isList: true }
    : { node: inner, isList: false };
}

function targetOf(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): ts.Symbol | undefined {
  const isAlias = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  return isAlias ? checker.getAliasedSymbol(symbol) : symbol;
}
