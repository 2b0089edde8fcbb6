import { createRequire } from "node:module";

/** The packages of the policy engines, which applications install themselves. */
const PACKAGES = { cel: "@marcbachmann/cel-js", cedar: "@cedar-policy/cedar-wasm" } as const;

interface EngineEntries {
  readonly cel: typeof import("./cel/index.ts");
  readonly cedar: typeof import("./cedar/index.ts");
}

/** Loads a module by its name. */
export type Load = (name: string) => unknown;

/** A package that is not installed. */
export interface MissingPackage {
  /** Its name, for `npm install`. */
  readonly install: string;
}

/** An entry of this package, unless its engine is missing. */
export type PolicyEngine<Entry> = { readonly entry: Entry } | MissingPackage;

/**
 * Loads the entry of a policy language when a file needs it, so that nobody has to install an engine for others. It is
 * synchronous because contracts are created while modules load.
 */
export function loadEngine<Language extends keyof EngineEntries>(
  language: Language,
  load: Load = createRequire(import.meta.url),
): PolicyEngine<EngineEntries[Language]> {
  const install = PACKAGES[language];
  try {
    return { entry: load(`@toolcontract/guardrails/${language}`) as EngineEntries[Language] };
  } catch (thrown) {
    const { code, message } = Object(thrown) as NodeJS.ErrnoException;
    const isMissing = code === "MODULE_NOT_FOUND" || code === "ERR_MODULE_NOT_FOUND";
    if (isMissing && message.includes(install)) return { install };
    throw thrown;
  }
}
