import type { PathSegment } from "../fault.ts";
import { isSensitiveName } from "./sensitive-name.ts";

/** The fields in which a pair keeps its name, and those in which it keeps its value. */
const NAME_FIELDS: readonly string[] = [
  "name",
  "key",
  "field",
  "header",
  "parameter",
  "variable",
  "label",
  "selector",
  "element",
];
const VALUE_FIELDS: readonly string[] = ["value", "val", "values", "content", "text", "default"];

/** How a page's fields are described in words, for example "Password field". */
const PASSWORD_LABEL = /\bpass(?:word|code|phrase)\b/i;

/** Tells whether a value says nothing, whatever its name: nothing is hidden by hiding it. */
export function isHarmless(value: unknown): boolean {
  return value === null || value === undefined || value === "" || typeof value === "boolean";
}

/** Tells whether a child is a secret by its own name, or as the value of a pair like `{name: "Authorization", value}`. */
export function isHiddenChild(parent: unknown, key: string, value: unknown): boolean {
  if (isHarmless(value)) return false;
  if (Array.isArray(parent)) return key === "1" && isSecretPair(parent, value);
  if (isSensitiveName(key)) return true;
  if (!VALUE_FIELDS.includes(key.toLowerCase()) || typeof parent !== "object" || parent === null)
    return false;
  return NAME_FIELDS.some((field) => {
    const capitalised = field.charAt(0).toUpperCase() + field.slice(1);
    return (
      isSecretLabel(Reflect.get(parent, field)) || isSecretLabel(Reflect.get(parent, capitalised))
    );
  });
}

/** Tells whether a secret's name stands anywhere on the way to a value; with the root, pairs count too. */
export function isHiddenPath(path: readonly PathSegment[], root: unknown): boolean {
  let parent = root;
  for (const segment of path) {
    const key = String(segment);
    if (typeof segment === "string" && isSensitiveName(segment)) return true;
    const child: unknown =
      typeof parent === "object" && parent !== null ? Reflect.get(parent, key) : undefined;
    if (isHiddenChild(parent, key, child)) return true;
    parent = child;
  }
  return false;
}

/** `["Authorization", "Bearer ..."]` is a pair; `["password", "email"]` is a list of names. */
function isSecretPair(parent: readonly unknown[], value: unknown): boolean {
  const isNameLike = typeof value === "string" && /^[a-z_]+$/i.test(value);
  return parent.length === 2 && !isNameLike && isSecretLabel(parent[0]);
}

function isSecretLabel(name: unknown): boolean {
  return typeof name === "string" && (isSensitiveName(name) || PASSWORD_LABEL.test(name));
}
