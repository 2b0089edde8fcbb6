import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";

const ROOT = resolve(import.meta.dirname, "../..");

/** A source file that is not a test. */
export interface SourceFile {
  /** Its path in the repository. */
  readonly path: string;
  readonly lines: number;
  /** The paths of the files in the repository that it imports, for types too. */
  readonly imports: readonly string[];
  /** The functions, classes and types that it declares at its top level. */
  readonly names: readonly string[];
}

const NO_SOURCE = ["**/*.test.ts", "**/*.test-d.ts", "**/*.d.ts", "**/testing/**", "**/dist/**"];

/** Reads the sources of these folders, without their tests and what only tests use. */
export function readSources(...folders: readonly string[]): readonly SourceFile[] {
  const entries = entriesOfPackages();
  const paths = folders.flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,tsx}`, {
      cwd: ROOT,
      exclude: [...NO_SOURCE, "**/node_modules/**"],
    }),
  );
  return paths.toSorted().map((path) => readSource(path, entries));
}

/** The file behind each entry of the packages: `@toolcontract/core/adapter` → `packages/core/src/adapter.ts`. */
function entriesOfPackages(): ReadonlyMap<string, string> {
  const manifests = globSync("{packages,internal,apps}/*/package.json", { cwd: ROOT });
  return new Map(
    manifests.flatMap((manifest) => {
      const { name, exports = {} } = JSON.parse(readFileSync(join(ROOT, manifest), "utf8")) as {
        readonly name: string;
        readonly exports?: Readonly<Record<string, string>>;
      };
      return Object.entries(exports).map(
        ([entry, path]) => [name + entry.slice(1), join(dirname(manifest), path)] as const,
      );
    }),
  );
}

function readSource(path: string, entries: ReadonlyMap<string, string>): SourceFile {
  const text = readFileSync(join(ROOT, path), "utf8");
  const { importedFiles } = ts.preProcessFile(text, true, true);
  const imports = importedFiles.flatMap(({ fileName }) => {
    if (!fileName.startsWith(".")) return entries.get(fileName) ?? [];
    return relative(ROOT, resolve(ROOT, dirname(path), fileName));
  });
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  return {
    path,
    lines: text.split("\n").length - 1,
    imports,
    names: source.statements.flatMap(namesOf),
  };
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    // What is written in capitals is a limit or a table of one file.
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) && /[a-z]/.test(name.text) ? name.text : [],
    );
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isNamed && statement.name ? [statement.name.text] : [];
}
