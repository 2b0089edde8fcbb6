import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import ts from "typescript";
import { applyMutant, type Mutant } from "./mutant.ts";

/** Says whether the types allow a mutant; no test can run what does not compile. */
export function compileChecker(files: readonly string[]): (mutant: Mutant) => boolean {
  const texts = new Map(files.map((file) => [resolve(file), readFileSync(file, "utf8")]));
  const originals = new Map(texts);
  const versions = new Map<string, number>();
  const { config } = ts.readConfigFile("tsconfig.base.json", (path) => readFileSync(path, "utf8"));
  const { options } = ts.convertCompilerOptionsFromJson(
    // What a mutant leaves unused is not a reason to refuse it.
    {
      ...config.compilerOptions,
      types: ["node"],
      noUnusedLocals: false,
      noUnusedParameters: false,
      noImplicitReturns: false,
      allowUnreachableCode: true,
    },
    process.cwd(),
  );
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [...texts.keys()],
    getScriptVersion: (path) => String(versions.get(path) ?? 0),
    getScriptSnapshot: (path) => {
      const text = texts.get(path) ?? ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => process.cwd(),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (path) => ts.sys.fileExists(path),
    readFile: (path, encoding) => ts.sys.readFile(path, encoding),
    readDirectory: (...args) => ts.sys.readDirectory(...args),
    directoryExists: (path) => ts.sys.directoryExists(path),
    getDirectories: (path) => ts.sys.getDirectories(path),
    realpath: (path) => ts.sys.realpath?.(path) ?? path,
  });
  const errorsOf = (path: string, text: string): number => {
    texts.set(path, text);
    versions.set(path, (versions.get(path) ?? 0) + 1);
    return [...service.getSyntacticDiagnostics(path), ...service.getSemanticDiagnostics(path)]
      .length;
  };
  return (mutant) => {
    const path = resolve(mutant.file);
    const original = originals.get(path) ?? "";
    const errors = errorsOf(path, applyMutant(mutant, original));
    return errors <= errorsOf(path, original);
  };
}
