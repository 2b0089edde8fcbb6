import {
  type Contract,
  createContract,
  type ToolDefinition,
  type ValidationError,
} from "@toolcontract/core";
import { nearestName } from "@toolcontract/core/adapter";
import type { ConfigFault, Position } from "./config-fault.ts";
import type { ConfigFile } from "../files/index.ts";
import {
  CODE_OPTIONS,
  FILE_OPTIONS,
  fileSchema,
  optionPath,
  pointerOf,
  TREE,
} from "../format/index.ts";
import type { ConfigTree } from "./read-tree.ts";
import type { Expansion, Variables } from "./variables.ts";

// The file is validated as a field, so that a file that is a single string is not parsed as JSON.
const WHOLE = "/file";

let validator: { readonly contract: Contract; readonly tool: ToolDefinition } | undefined;

/** Validates a file's value with the contract itself; the pointers of the errors start at the file's root. */
export function validateValues(value: unknown): readonly ValidationError[] {
  const { contract, tool } = (validator ??= createValidator());
  const result = contract.check(tool, { file: value });
  if (result.status === "valid") return [];
  return result.errors.map((error) => {
    return { ...error, fieldPath: error.fieldPath.slice(WHOLE.length) };
  });
}

function createValidator(): NonNullable<typeof validator> {
  const { $schema, ...file } = fileSchema(false);
  const inputSchema = { $schema, type: "object", properties: { file } };
  // Compiling the schema would take longer than validating a handful of files.
  const contract = createContract({
    interpreter: true,
    logger: () => undefined,
    format: { maxErrors: 1_000 },
  });
  return { contract, tool: { name: "configuration", inputSchema } };
}

/** Converts an error that the contract found in a value to a fault with its position in the file. */
export function valueFault(
  error: ValidationError,
  { layer, path: file }: ConfigFile,
  tree: ConfigTree,
  { expansions }: Variables,
): ConfigFault {
  const { fieldPath: path, errorCode: code, message, expectedValue: expected } = error;
  const expansion = expansions.get(path);
  const actual = expansion ? JSON.stringify(expansion.template) : shownActual(error);
  const hint = expansion ? variableHint(expansion) : fileHint(error);
  return {
    layer,
    file,
    ...positionOf(error, tree),
    path,
    code,
    message,
    ...(expected !== undefined && { expected }),
    ...(actual !== undefined && { actual }),
    ...(hint !== undefined && { hint }),
  };
}

/** Values outside the contract's settings belong to others and may be secrets. */
function shownActual({ fieldPath, actualValue }: ValidationError): string | undefined {
  return fieldPath.startsWith(pointerOf(TREE)) ? actualValue : undefined;
}

function variableHint({ variables }: Expansion): string {
  const names = variables.join(" and ");
  return variables.length === 1 ? `change the variable ${names}` : `change the variables ${names}`;
}

/** The contract's hints address a model, which sends arguments; a person writes a file. */
function fileHint({ errorCode, fieldPath, hint }: ValidationError): string | undefined {
  // Where the key belongs is said with its whole path below.
  const isUnknown = errorCode === "VAL-005" && !/^(?:rename|send) /.test(hint ?? "");
  if (!isUnknown) return hint?.replace(/^send /, "write ");
  // Elsewhere the key may be right.
  return unknownKeyHint(fieldPath.slice(fieldPath.lastIndexOf("/") + 1));
}

function positionOf({ errorCode, fieldPath }: ValidationError, { places }: ConfigTree): Position {
  const place = places.get(fieldPath);
  if (place) return errorCode === "VAL-005" ? place.key : place.value;
  // The contract does not show a key that does not look like a name, so its pointer is unknown here.
  const parent = fieldPath.slice(0, Math.max(fieldPath.lastIndexOf("/"), 0));
  const hidden = [...places].find(([pointer]) => {
    const name = pointer.startsWith(`${parent}/`) ? pointer.slice(parent.length + 1) : "";
    return name !== "" && !name.includes("/") && !/^[A-Za-z_][A-Za-z0-9_-]{0,39}$/.test(name);
  });
  return hidden?.[1].key ?? places.get(parent)?.value ?? { line: 1, column: 1 };
}

/** What to do about an unknown key, if that is nearly certain. */
function unknownKeyHint(key: string): string | undefined {
  const plain = plainName(key);
  const codeOnly = [...CODE_OPTIONS.keys()].find((name) => lastNames(name).includes(plain));
  if (codeOnly !== undefined) {
    const kind = CODE_OPTIONS.get(codeOnly)?.codeOnly;
    return `pass \`${codeOnly}\` to createContract in code: ${kind} can't be set in a file`;
  }
  const moved = FILE_OPTIONS.find(
    ({ name, keys }) => plainName(keys.at(-1) ?? "") === plain || lastNames(name).includes(plain),
  );
  return moved && `the key is ${optionPath(moved)}`;
}

function lastNames(name: string): readonly string[] {
  return [plainName(name.split(".").at(-1) ?? "")];
}

function plainName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase();
}

/** Warns about keys that are not read although they look like a misspelt `tools` or `validation`. */
export function unreadKeys(
  { layer, path: file }: ConfigFile,
  tree: ConfigTree,
): readonly ConfigFault[] {
  return tree.besides.flatMap(({ keys, at }): ConfigFault[] => {
    const [name = ""] = keys.slice(-1);
    const own = TREE[keys.length - 1] ?? "";
    const isMisplaced = keys.length === 1 && name === TREE[1];
    if (!isMisplaced && nearestName(name, [own]) === undefined) return [];
    const path = pointerOf(keys);
    const hint = isMisplaced ? "move it below tools" : `rename it to "${own}"`;
    return [
      { layer, file, ...at, path, code: "unread-key", message: "This key is not read", hint },
    ];
  });
}
