import { compileAjv } from "../ajv/index.ts";
import type { SchemaEngine } from "../schema/index.ts";

/** An engine that walks schemas, or one that lets ajv judge. */
export function engineOf(interpreter: boolean): SchemaEngine {
  return interpreter ? {} : { compileJudge: compileAjv };
}
