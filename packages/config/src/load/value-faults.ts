import {
  type Contract,
  createContract,
  type ToolDefinition,
  type ValidationError,
} from "@toolcontract/core";
import { nearestName } from "@toolcontract/core/adapter";
import { type ConfigFault, type Position, START } from "./config-fault.ts";
import type { ConfigFile } from "../files/index.ts";
import { type FileFormat, holdsOurs, keysOf, pointerOf, proxyModeHint } from "../format/index.ts";
import { type ConfigTree, memberAt, type KeyPositions } from "./read-tree.ts";
import type { Expansion, Variables } from "./variables.ts";

/** A file's values, and how they were read. */
export interface ReadFile {
  readonly tree: ConfigTree;
  readonly variables: Variables;
  readonly format: FileFormat;
}

// The file is validated as a field, so that a file that is a single string is not parsed as JSON.
const WHOLE = "/file";

interface LayerValidator {
  readonly contract: Contract;
  readonly tool: ToolDefinition;
}

const validators = new WeakMap<FileFormat, LayerValidator>();

/** Validates a file's value with the contract itself; the pointers of the errors start at the file's root. */
export function validateValues(value: unknown, format: FileFormat): readonly ValidationError[] {
  const { contract, tool } = validators.get(format) ?? createValidator(format);
  const result = contract.check(tool, { file: value });
  if (result.status === "valid") return [];
  return result.errors.map((error) => {
    return { ...error, fieldPath: error.fieldPath.slice(WHOLE.length) };
  });
}

function createValidator(format: FileFormat): LayerValidator {
  const { $schema, ...file } = format.schema;
  const inputSchema = { $schema, type: "object", properties: { file } };
  // Compiling the schema would take longer than validating a handful of files.
  const contract = createContract({
    interpreter: true,
    // A person wrote the file, and can correct it.
    unwrapStrings: false,
    logger: () => undefined,
    format: { maxErrors: 1_000 },
  });
  const validator = { contract, tool: { name: "configuration", inputSchema } };
  validators.set(format, validator);
  return validator;
}

/** Converts an error that the contract found in a value to a fault with its position in the file. */
export function valueFault(
  error: ValidationError,
  { layer, path: file }: ConfigFile,
  { tree, variables, format }: ReadFile,
): ConfigFault {
  const { fieldPath: path, errorCode: code, message, expectedValue: expected } = error;
  const isShown = format.isShown(path);
  const expansion = variables.expansions.get(path);
  const written = isShown ? error.actualValue : undefined;
  const actual = expansion ? JSON.stringify(expansion.template) : written;
  const hint = expansion ? variableHint(expansion) : fileHint(error, format);
  return {
    layer,
    file,
    ...positionOfFault(error, tree),
    path: writtenPointer(path, tree),
    code,
    message,
    ...(expected !== undefined && { expected }),
    ...(actual !== undefined && { actual }),
    ...(hint !== undefined && { hint }),
  };
}

function variableHint({ variables }: Expansion): string {
  const names = variables.join(" and ");
  return variables.length === 1 ? `change the variable ${names}` : `change the variables ${names}`;
}

const MODE = pointerOf(["tools", "validation", "mode"]);

/** The contract's hints address a model, which sends arguments; a person writes a file. */
function fileHint(
  { errorCode, fieldPath, hint, actualValue }: ValidationError,
  { keyHint, isSecret }: FileFormat,
): string | undefined {
  const flag = fieldPath === MODE && proxyModeHint("mode", actualValue?.slice(1, -1));
  if (flag) return flag;
  // Where the key belongs is said with its whole path below.
  const isUnknown = errorCode === "VAL-005" && !/^(?:rename|send) /.test(hint ?? "");
  if (isUnknown) return keyHint(fieldPath);
  const written = hint?.replace(/^send /, "write ");
  const mayRepeatValue = errorCode !== "VAL-005" && isSecret(fieldPath);
  return mayRepeatValue ? written && withoutValue(written) : written;
}

/** A hint that cannot repeat what the file says. */
function withoutValue(hint: string): string | undefined {
  if (hint.startsWith("use ")) return "put quotes around it";
  return /^(?:leave it out|put it in an array|write the \w+ itself, not a JSON string)$/.test(hint)
    ? hint
    : undefined;
}

function positionOfFault(
  { errorCode, fieldPath, actualValue }: ValidationError,
  tree: ConfigTree,
): Position {
  const place = positionsOf(fieldPath, tree, actualValue);
  if (place) return errorCode === "VAL-005" ? place.key : place.value;
  const parent = fieldPath.slice(0, Math.max(fieldPath.lastIndexOf("/"), 0));
  return positionsOf(parent, tree)?.value ?? START;
}

/** The contract writes this in place of a key that does not look like a name. */
const HIDDEN = "(unknown field)";
const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,39}$/;

/** The place of a pointer of the contract; the actual value decides between hidden keys. */
function positionsOf(
  pointer: string,
  { places, value }: ConfigTree,
  actual?: string,
): KeyPositions | undefined {
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

/** A pointer with the keys as the file spells them. */
export function writtenPointer(pointer: string, { places }: ConfigTree): string {
  const keys = keysOf(pointer);
  return keys
    .map((key, index) => {
      const own = pointerOf(keys.slice(0, index + 1));
      return pointerOf([places.get(own)?.written ?? key]);
    })
    .join("");
}

/**
 * The keys that nobody reads although they look like one of ours, misspelt or in another place. In a file that was named for
 * this program, a key of others is one too, unless a key of ours stands beside it.
 */
export function unknownKeys(
  { layer, path: file }: ConfigFile,
  tree: ConfigTree,
  { own, ownerOf, keyHint }: FileFormat,
): readonly ConfigFault[] {
  const isForOthers = layer === "explicit" && isEmptyObject(tree.value);
  return tree.besides.flatMap(({ keys, at, missing, holds }): ConfigFault[] => {
    const [name = ""] = keys.slice(-1);
    const owner = keys.length === 1 ? ownerOf(name) : undefined;
    const near = nearestName(name, missing);
    const inner = keys.length === 1 ? nearInnerKey(name, own) : undefined;
    const renamed = near === undefined ? inner && `the key is ${inner}` : `rename it to "${near}"`;
    // A name of several words that is one of ours; a shorter one may be that of others, unless it holds what is ours.
    const isBesideOurs = !isEmptyObject(memberAt(tree.value, keys.slice(0, -1)));
    const isOurs = name.includes("_") || (isBesideOurs && holdsOurs(name, holds));
    const moved =
      keys.length > 1 && isOurs
        ? (proxyModeHint(name, holds.value) ?? keyHint(pointerOf(keys)))
        : undefined;
    const hint = owner === undefined ? (renamed ?? moved) : `move it below ${owner}`;
    if (hint === undefined && !isForOthers) return [];
    const shown = NAME.test(name) ? ` '${name}'` : "";
    const fault = { layer, file, ...at, path: pointerOf(keys), code: "VAL-005" as const };
    const expected = hint === undefined && { expected: `only ${Object.keys(own).join(", ")}` };
    const message = `Unknown field${shown}`;
    return [{ ...fault, message, ...expected, ...(hint !== undefined && { hint }) }];
  });
}

/** The key of ours one level deeper that an outer key was nearly: `guardrail` is `tools.guardrails`. */
function nearInnerKey(name: string, own: FileFormat["own"]): string | undefined {
  for (const [outer, below] of Object.entries(own)) {
    const near = below === true ? undefined : nearestName(name, Object.keys(below));
    if (near !== undefined) return `${outer}.${near}`;
  }
  return undefined;
}

function isEmptyObject(value: unknown): boolean {
  return Object.keys(Object(value) as object).length === 0;
}
