import {
  type Contract,
  createContract,
  type ToolDefinition,
  type ValidationError,
} from "@toolcontract/core";
import { fileSchema } from "../format/file-schema.ts";

// The file as a whole is a field too, so that a file that is a text is not read as JSON.
const WHOLE = "/file";

let judge: { readonly contract: Contract; readonly tool: ToolDefinition } | undefined;

/** Judges a file's value with the contract itself; pointers in the errors begin at the file's root. */
export function judgeValues(value: unknown): readonly ValidationError[] {
  const { contract, tool } = (judge ??= makeJudge());
  const result = contract.check(tool, { file: value });
  if (result.status === "valid") return [];
  return result.errors.map((error) => {
    return { ...error, fieldPath: error.fieldPath.slice(WHOLE.length) };
  });
}

function makeJudge(): NonNullable<typeof judge> {
  const { $schema, ...file } = fileSchema(false);
  const inputSchema = { $schema, type: "object", properties: { file } };
  // Compiling the schema would take longer than judging the few files that there are.
  const contract = createContract({
    interpreter: true,
    logger: () => undefined,
    format: { maxErrors: 1_000 },
  });
  return { contract, tool: { name: "configuration", inputSchema } };
}
