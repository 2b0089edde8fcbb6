import { nearestName } from "@toolcontract/core/adapter";
import type { ConfigFault } from "../config-fault.ts";
import type { ConfigFile } from "../files/config-file.ts";
import { pointerOf, TREE } from "../format/pointer.ts";
import type { ConfigTree } from "../yaml/read-tree.ts";

/** Tells of keys that nobody here reads although they look like a misspelt `tools` or `validation`. */
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
