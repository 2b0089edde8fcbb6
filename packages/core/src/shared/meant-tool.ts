import { byCloseness, nearest } from "@toolcontract/explain/adapter";

const MAX_LENGTH = 1_024;
/** Quotes and tags around a name, such as `<function=`. */
const AROUND = /^(?:[\s<"'`([{]|\/?(?:function|tool|tool_name|name)\s*[=>]\s*)+/i;
/** What models write before a name: the namespace of their own syntax, perhaps as the recipient of a message. */
const BEFORE = /^(?:[^]*?\bto=)?(?:[\w-]+[.:/])*?(?:functions|default_api|tools?)[.:/]/;
/** What follows a name: control tokens, tags, white space, brackets, punctuation, or the number of a call. */
const BEHIND = /(?:[<>\s\u00A0?\u2026([{"'`]|\.\.\.|:\d*$)[^]*$/;
/** What stands between the parts of a name: of a server and its tool, or of a namespace. */
const BETWEEN = /__|[.:/]/;

/** Reads the name of a tool without the control tokens and the namespace around it. */
function bareName(called: string): string {
  const name = called.slice(0, MAX_LENGTH).replace(AROUND, "").replace(BEFORE, "");
  return name.replace(BEHIND, "");
}

/**
 * Finds the tool that a name was surely meant to be: the same without control tokens, quotes and a namespace, the same with or without the
 * server that has it, or nearly the same; undefined if none surely was.
 */
export function meantTool(called: string, names: readonly string[]): string | undefined {
  const bare = bareName(called);
  if (bare === "") return undefined;
  if (names.includes(bare)) return bare;
  const known = nearest(called, names) ?? (bare === called ? undefined : nearest(bare, names));
  return known ?? sameTool(bare, names);
}

/** The one tool that has the same name but for what stands before it; undefined if two have. */
function sameTool(bare: string, names: readonly string[]): string | undefined {
  const parts = namePartsOf(bare);
  const found = names.filter((name) => {
    const others = namePartsOf(name);
    const [shorter, longer] = parts.length < others.length ? [parts, others] : [others, parts];
    return (
      shorter.length > 0 && shorter.every((part, at) => part === longer.at(at - shorter.length))
    );
  });
  return found.length === 1 ? found[0] : undefined;
}

/** The parts of a name, without what only says that it is a tool's. */
function namePartsOf(name: string): readonly string[] {
  const parts = name
    .toLowerCase()
    .replace(/^tool_/, "")
    .split(BETWEEN)
    .filter(Boolean);
  return parts[0] === "mcp" && parts.length > 1 ? parts.slice(1) : parts;
}

/** Sorts names by how much they have in common with the called one, the closest first. */
export function toolsByCloseness(called: string, names: readonly string[]): readonly string[] {
  return byCloseness(bareName(called), names);
}
