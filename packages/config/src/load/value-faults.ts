import {
  type Contract,
  createContract,
  type ToolDefinition,
  type ValidationError,
} from "@toolcontract/core";
import { nearestName } from "@toolcontract/core/adapter";
import { type ConfigFault, type Position, START } from "./config-fault.ts";
import type { ConfigFile } from "../files/index.ts";
import {
  CODE_OPTIONS,
  FILE_OPTIONS,
  fileSchema,
  GUARDRAILS_IN_CODE,
  GUARDRAILS_TREE,
  keysOf,
  optionPath,
  pointerOf,
  TREE,
} from "../format/index.ts";
import { type ConfigTree, memberAt, type Place } from "./read-tree.ts";
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

/** Values outside of our settings belong to others and may be secrets. */
function shownActual({ fieldPath, actualValue }: ValidationError): string | undefined {
  const isOurs = [TREE, GUARDRAILS_TREE].some((keys) => fieldPath.startsWith(pointerOf(keys)));
  return isOurs ? actualValue : undefined;
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
  const end = fieldPath.lastIndexOf("/");
  const key = fieldPath.slice(end + 1);
  if (!fieldPath.startsWith(pointerOf(GUARDRAILS_TREE))) return unknownKeyHint(key);
  return end === pointerOf(GUARDRAILS_TREE).length ? guardrailsHint(key) : undefined;
}

function positionOf(
  { errorCode, fieldPath, actualValue }: ValidationError,
  tree: ConfigTree,
): Position {
  const place = placeOf(fieldPath, tree, actualValue);
  if (place) return errorCode === "VAL-005" ? place.key : place.value;
  const parent = fieldPath.slice(0, Math.max(fieldPath.lastIndexOf("/"), 0));
  return placeOf(parent, tree)?.value ?? START;
}

/** The contract writes this in place of a key that does not look like a name. */
const HIDDEN = "(unknown field)";
const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,39}$/;

/** The place of a pointer of the contract; the actual value decides between hidden keys. */
function placeOf(
  pointer: string,
  { places, value }: ConfigTree,
  actual?: string,
): Place | undefined {
  if (!pointer.includes(HIDDEN)) return places.get(pointer);
  const shown = pointer.split("/");
  const fitting = [...places.keys()].filter((own) => {
    const keys = own.split("/");
    const fits = (key: string, at: number): boolean =>
      shown[at] === HIDDEN ? !NAME.test(key) : shown[at] === key;
    return keys.length === shown.length && keys.every(fits);
  });
  const same = fitting.find((own) => JSON.stringify(memberAt(value, keysOf(own))) === actual);
  return places.get(same ?? fitting[0] ?? "");
}

/** What to do about an unknown key, if that is nearly certain. */
function unknownKeyHint(key: string): string | undefined {
  const plain = plainName(key);
  if (plain === GUARDRAILS_TREE[1]) return `the key is ${GUARDRAILS_TREE.join(".")}`;
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

/** What to do about an option of guardrails that a file cannot set. */
function guardrailsHint(key: string): string | undefined {
  const name = GUARDRAILS_IN_CODE.find((one) => plainName(one) === plainName(key));
  return name && `pass \`${name}\` to guardrailsFrom in code`;
}

function lastNames(name: string): readonly string[] {
  return [plainName(name.split(".").at(-1) ?? "")];
}

function plainName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase();
}

/** Warns about keys that are not read although they look like one of ours, misspelt. */
export function unreadKeys(
  { layer, path: file }: ConfigFile,
  tree: ConfigTree,
): readonly ConfigFault[] {
  return tree.besides.flatMap(({ keys, at, missing }): ConfigFault[] => {
    const [name = ""] = keys.slice(-1);
    const isMisplaced = keys.length === 1 && [TREE[1], GUARDRAILS_TREE[1]].includes(name);
    const near = nearestName(name, missing);
    if (!isMisplaced && near === undefined) return [];
    const path = pointerOf(keys);
    const hint = isMisplaced ? "move it below tools" : `rename it to "${near}"`;
    return [
      { layer, file, ...at, path, code: "unread-key", message: "This key is not read", hint },
    ];
  });
}
