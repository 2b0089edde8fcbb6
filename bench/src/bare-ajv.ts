import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { CorpusTool } from "./corpus.ts";

const compiled = new WeakMap<CorpusTool, Map<boolean, ValidateFunction>>();

/** The validator of a tool's schema, which is compiled once. */
export function compileBare(tool: CorpusTool, allErrors = false): ValidateFunction {
  const ofTool = compiled.get(tool) ?? new Map<boolean, ValidateFunction>();
  compiled.set(tool, ofTool);
  const validate = ofTool.get(allErrors) ?? compileAnew(tool, allErrors);
  ofTool.set(allErrors, validate);
  return validate;
}

/** Compiles a tool's schema as a host without the contract would; `allErrors` as hosts do that send errors back. */
export function compileAnew({ inputSchema }: CorpusTool, allErrors = false): ValidateFunction {
  const declared = typeof inputSchema === "object" ? inputSchema["$schema"] : undefined;
  const dialect = typeof declared === "string" ? declared : "";
  const options = { strict: false, logger: false as const, allErrors };
  const ajv = dialect.includes("draft-0")
    ? new Ajv(options)
    : dialect.includes("2019-09")
      ? new Ajv2019(options)
      : new Ajv2020(options);
  addFormats.default(ajv);
  return ajv.compile(inputSchema);
}
