import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** An entry that packages publish, by the name under which it is imported. */
export interface Entry {
  readonly name: string;
  readonly file: string;
}

const PACKAGES = ["ai-sdk", "config", "core", "langchain", "mcp"] as const;

/** Every entry of every package, read from the manifests. */
export function publicEntries(): readonly Entry[] {
  return PACKAGES.flatMap((folder) => {
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

/** Reads what entries export, types included. */
export function readExports(entries: readonly Entry[]): (entry: Entry) => readonly ExportedName[] {
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    {
      module: ts.ModuleKind.NodeNext,
      allowImportingTsExtensions: true,
      resolveJsonModule: true,
      noEmit: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2023,
    },
  );
  const checker = program.getTypeChecker();
  return ({ file }) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    const symbols = module ? checker.getExportsOfModule(module) : [];
    return symbols
      .map((symbol) => ({ name: symbol.name, isDocumented: isDocumented(symbol, checker) }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  };
}

/** An exported name, and whether its TSDoc says anything. */
export interface ExportedName {
  readonly name: string;
  readonly isDocumented: boolean;
}

function isDocumented(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return target.getDocumentationComment(checker).some((part) => part.text.trim() !== "");
}
