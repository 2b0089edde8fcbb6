import type { ValidationError } from "@toolcontract/core";
import type { ConfigFault, Position } from "../config-fault.ts";
import type { ConfigFile } from "../files/config-file.ts";
import { pointerOf, TREE } from "../format/pointer.ts";
import { unknownKeyHint } from "../judge/unknown-key-hint.ts";
import type { ConfigTree } from "../yaml/read-tree.ts";
import type { Expansion, Expansions } from "./expansions.ts";

/** Says where in the file a fault stands that the contract found in its value. */
export function valueFault(
  error: ValidationError,
  { layer, path: file }: ConfigFile,
  tree: ConfigTree,
  expansions: Expansions,
): ConfigFault {
  const { fieldPath: path, errorCode: code, message, expectedValue: expected } = error;
  const expansion = expansions.byPointer.get(path);
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

/** What stands around the contract's tree belongs to others, who may keep secrets there. */
function shownActual({ fieldPath, actualValue }: ValidationError): string | undefined {
  return fieldPath.startsWith(pointerOf(TREE)) ? actualValue : undefined;
}

function variableHint({ variables }: Expansion): string {
  const names = variables.join(" and ");
  return variables.length === 1 ? `change the variable ${names}` : `change the variables ${names}`;
}

/** The contract speaks to a model, which sends; a person writes. */
function fileHint({ errorCode, fieldPath, hint }: ValidationError): string | undefined {
  if (hint !== undefined) return hint.replace(/^send /, "write ");
  if (errorCode !== "VAL-005") return undefined;
  return unknownKeyHint(fieldPath.slice(fieldPath.lastIndexOf("/") + 1));
}

function positionOf({ errorCode, fieldPath }: ValidationError, { places }: ConfigTree): Position {
  const place = places.get(fieldPath);
  if (place) return errorCode === "VAL-005" ? place.key : place.value;
  // A key that is not shown has no pointer of its own: it is one that looks like no name.
  const parent = fieldPath.slice(0, Math.max(fieldPath.lastIndexOf("/"), 0));
  const hidden = [...places].find(([pointer]) => {
    const name = pointer.startsWith(`${parent}/`) ? pointer.slice(parent.length + 1) : "";
    return name !== "" && !name.includes("/") && !/^[A-Za-z_][A-Za-z0-9_-]{0,39}$/.test(name);
  });
  return hidden?.[1].key ?? places.get(parent)?.value ?? { line: 1, column: 1 };
}
