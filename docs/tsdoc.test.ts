import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, test } from "vitest";

const entries = ["index.ts", "adapter.ts", "secretlint.ts"];
const source = fileURLToPath(new URL("../packages/core/src/", import.meta.url));

const program = ts.createProgram(
  entries.map((entry) => source + entry),
  {
    module: ts.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2023,
  },
);
const checker = program.getTypeChecker();

function exportsOf(entry: string): readonly ts.Symbol[] {
  const file = program.getSourceFile(source + entry);
  const module = file && checker.getSymbolAtLocation(file);
  return module ? checker.getExportsOfModule(module) : [];
}

function isDocumented(symbol: ts.Symbol): boolean {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return target.getDocumentationComment(checker).some((part) => part.text.trim() !== "");
}

describe("NFR-019 every public export says what it promises", () => {
  test.each(entries)("NFR-019 TSDoc on all exports of %s", (entry) => {
    const symbols = exportsOf(entry);
    expect(symbols.length).toBeGreaterThan(0);
    expect(symbols.filter((symbol) => !isDocumented(symbol)).map((symbol) => symbol.name)).toEqual(
      [],
    );
  });
});
