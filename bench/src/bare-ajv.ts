import { Ajv, type Options, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { CorpusTool } from "./corpus.ts";

const compiled = new WeakMap<CorpusTool, Map<boolean, ValidateFunction>>();

/** The validator of a host without the contract; with `allErrors`, that of a host that sends the errors back. */
export function compileBare(tool: CorpusTool, allErrors = false): ValidateFunction {
  const ofTool = compiled.get(tool) ?? new Map<boolean, ValidateFunction>();
  compiled.set(tool, ofTool);
  // Without validateSchema the validator is the same, and compiling takes less time.
  const validate =
    ofTool.get(allErrors) ??
    createBare(tool, { allErrors, validateSchema: false }).compile(tool.inputSchema);
  ofTool.set(allErrors, validate);
  return validate;
}

/** Creates an ajv for the dialect of a tool's schema. */
export function createBare(tool: CorpusTool, options: Options = {}): Ajv {
  const ajv = new (dialectOf(tool))({ strict: false, logger: false, ...options });
  addFormats.default(ajv);
  return ajv;
}

/** Like `createBare`, but creates one ajv per dialect: compiling thousands of tools takes less memory. */
export function sharedBare(options: Options): (tool: CorpusTool) => Ajv {
  const engines = new Map<typeof Ajv, Ajv>();
  return (tool) => {
    const dialect = dialectOf(tool);
    const ajv = engines.get(dialect) ?? createBare(tool, options);
    engines.set(dialect, ajv);
    return ajv;
  };
}

const engineOf = sharedBare({ addUsedSchema: false });

/** Whether ajv alone accepts a tool's arguments. */
export function ajvAccepts(tool: CorpusTool): (value: unknown) => boolean {
  const validate = engineOf(tool).compile(tool.inputSchema);
  return (value) => validate(value);
}

function dialectOf({ inputSchema }: CorpusTool): typeof Ajv {
  const declared = typeof inputSchema === "object" ? inputSchema["$schema"] : undefined;
  const dialect = typeof declared === "string" ? declared : "";
  if (dialect.includes("draft-0")) return Ajv;
  return dialect.includes("2019-09") ? Ajv2019 : Ajv2020;
}
