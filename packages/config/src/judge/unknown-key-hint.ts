import { CODE_OPTIONS, FILE_OPTIONS } from "../format/option-table.ts";
import { optionPath } from "../format/pointer.ts";

/** What to do with a key that stands where none such is known, where that is nearly certain. */
export function unknownKeyHint(key: string): string | undefined {
  const plain = plainName(key);
  const codeOnly = [...CODE_OPTIONS.keys()].find((name) => lastNames(name).includes(plain));
  if (codeOnly !== undefined) {
    const kind = CODE_OPTIONS.get(codeOnly)?.codeOnly;
    return `pass \`${codeOnly}\` to createContract in code: ${kind} can't stand in a file`;
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
