import { Ajv, type Options, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { CorpusTool } from "./corpus.ts";

const compiled = new WeakMap<CorpusTool, Map<boolean, ValidateFunction>>();

/** The validator that a host without the contract would have; `allErrors` as hosts do that send errors back. */
export function compileBare(tool: CorpusTool, allErrors = false): ValidateFunction {
  const ofTool = compiled.get(tool) ?? new Map<boolean, ValidateFunction>();
  compiled.set(tool, ofTool);
  // What is compiled is the same; only compiling it takes less.
  const validate =
    ofTool.get(allErrors) ??
    createBare(tool, { allErrors, validateSchema: false }).compile(tool.inputSchema);
  ofTool.set(allErrors, validate);
  return validate;
}

/** An ajv for the dialect of a tool's schema. */
export function createBare({ inputSchema }: CorpusTool, options: Options = {}): Ajv {
  const declared = typeof inputSchema === "object" ? inputSchema["$schema"] : undefined;
  const dialect = typeof declared === "string" ? declared : "";
  const all: Options = { strict: false, logger: false, ...options };
  const ajv = dialect.includes("draft-0")
    ? new Ajv(all)
    : dialect.includes("2019-09")
      ? new Ajv2019(all)
      : new Ajv2020(all);
  addFormats.default(ajv);
  return ajv;
}
