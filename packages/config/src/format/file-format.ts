import type { SchemaObject } from "@toolcontract/core";
import { fileSchema } from "./file-schema.ts";
import { GUARDRAILS_IN_CODE, GUARDRAILS_TREE } from "./guardrails-schema.ts";
import { LINT_KEY } from "./lint-schema.ts";
import {
  CODE_OPTIONS,
  FILE_OPTIONS,
  keysOf,
  optionPath,
  pointerOf,
  sectionOf,
  TREE,
} from "./option-table.ts";

/** The keys that are ours: true if all below is ours too, or else those of the next level. */
export interface OwnKeys {
  readonly [key: string]: true | OwnKeys;
}

/** What a reader of files has to know about their keys. */
export interface FileFormat {
  readonly own: OwnKeys;
  /** Validates a whole file, after expansion. */
  readonly schema: SchemaObject;
  /** Whether strings at a pointer stay as they are written. */
  readonly isVerbatim: (pointer: string) => boolean;
  /** Whether an error may show the value at a pointer. */
  readonly isShown: (pointer: string) => boolean;
  /** Whether the value at a pointer may be a secret, so that no hint may repeat it either. */
  readonly isSecret: (pointer: string) => boolean;
  /** What to do about an unknown key, if that is nearly certain. */
  readonly keyHint: (pointer: string) => string | undefined;
  /** The key of ours below which an outer key belongs. */
  readonly ownerOf: (key: string) => string | undefined;
  /** Whether an outer key in camelCase is a fault, and does not belong to others. */
  readonly ownsCamelCase: boolean;
  /** The env files that a missing variable may be set in, for its message. */
  readonly envFiles: string;
}

const GUARDRAILS = pointerOf(GUARDRAILS_TREE);

/** The part of a file that belongs to the contract. */
export const TOOLS_FORMAT: FileFormat = {
  own: { [TREE[0]]: { [TREE[1]]: true, [GUARDRAILS_TREE[1]]: true }, [LINT_KEY]: true },
  schema: fileSchema(false),
  // A variable could change what an expression means.
  isVerbatim: (pointer) => pointer.startsWith(GUARDRAILS),
  // Other values belong to others and may be secrets.
  isShown: (pointer) =>
    [pointerOf(TREE), GUARDRAILS, pointerOf([LINT_KEY])].some((own) => pointer.startsWith(own)),
  isSecret: () => false,
  keyHint(pointer) {
    const [key = ""] = keysOf(pointer).slice(-1);
    // Elsewhere the key may be right.
    if (!pointer.startsWith(GUARDRAILS)) return optionHint(key);
    return pointer === GUARDRAILS + pointerOf([key]) ? guardrailsHint(key) : undefined;
  },
  ownerOf: (key) => ([TREE[1], GUARDRAILS_TREE[1]].includes(key) ? TREE[0] : undefined),
  ownsCamelCase: false,
  envFiles: "the .env file beside it",
};

function optionHint(key: string): string | undefined {
  const plain = plainName(key);
  if (plain === GUARDRAILS_TREE[1]) return `the key is ${GUARDRAILS_TREE.join(".")}`;
  const isNamed = (name: string): boolean => plainName(name.split(".").at(-1) ?? "") === plain;
  const codeOnly = [...CODE_OPTIONS.keys()].find(isNamed);
  if (codeOnly !== undefined) {
    const kind = CODE_OPTIONS.get(codeOnly);
    return `pass \`${codeOnly}\` to createContract in code: ${kind} can't be set in a file`;
  }
  const moved = FILE_OPTIONS.find(
    ({ name, keys }) => plainName(keys.at(-1) ?? "") === plain || isNamed(name),
  );
  if (moved) return `the key is ${optionPath(moved)}`;
  const section = FILE_OPTIONS.map(sectionOf).find((name) => name === key);
  return section && `the key is ${[...TREE, section].join(".")}`;
}

/** What a key holds: the keys of its mapping, or a single value. */
export interface HeldByKey {
  readonly keys?: readonly string[];
  readonly value?: unknown;
}

/** Whether a key of one word is ours by what it holds: a mode, or an option of several words in its section. */
export function holdsOurs(key: string, { keys = [], value }: HeldByKey): boolean {
  if (proxyModeHint(key, value) !== undefined) return true;
  return FILE_OPTIONS.some(({ name, keys: [section, inner], fits }) =>
    inner === undefined
      ? key === "mode" && name === "mode" && fits(value)
      : section === key && inner.includes("_") && keys.includes(inner),
  );
}

/** What to do about a mode that only the proxy has. */
export function proxyModeHint(key: string, value: unknown): string | undefined {
  const isMode = key === "mode" && (value === "assist" || value === "audit");
  return isMode ? "it is the flag --mode of the proxy" : undefined;
}

/** What to do about an option of guardrails that a file cannot set. */
function guardrailsHint(key: string): string | undefined {
  const name = GUARDRAILS_IN_CODE.find((one) => plainName(one) === plainName(key));
  return name && `pass \`${name}\` to guardrailsFrom in code`;
}

/** A name without what differs between `max_turns`, `maxTurns` and `max-turns`. */
export function plainName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase();
}

/** The schema of a member of an object, or of an array's items; what has no type may be anything, and so may its members. */
export function memberSchema(
  schema: SchemaObject | undefined,
  key: string,
): SchemaObject | undefined {
  const { type, properties, additionalProperties, items } = (schema ?? {}) as SchemaMembers;
  if (schema && type === undefined) return schema;
  if (properties && Object.hasOwn(properties, key)) return properties[key];
  if (items) return items;
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

/** The schema at a pointer, if it has one. */
export function schemaAt(schema: SchemaObject, pointer: string): SchemaObject | undefined {
  return keysOf(pointer).reduce<SchemaObject | undefined>(memberSchema, schema);
}

/** Whether a schema is that of a mapping or a list. */
export function isSection(schema: SchemaObject | undefined): boolean {
  const { type } = (schema ?? {}) as SchemaMembers;
  return [type].flat().some((one) => one === "object" || one === "array");
}

/** What is read of a schema here. */
interface SchemaMembers {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SchemaObject>>;
  readonly additionalProperties?: SchemaObject | boolean;
  readonly items?: SchemaObject;
}
