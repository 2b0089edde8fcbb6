import type { DeclaredTool, LintRule } from "../shared/index.ts";

/** Words that tell no two descriptions apart. */
const FILLERS = new Set(
  "a an the and or of to in on for from with by at as is are be it its this that these all any back".split(
    " ",
  ),
);
/** Shorter descriptions are too common to mean the same tool. */
const LEAST_WORDS = 3;

/** Two tools with nearly the same description. */
export const nearEqualDescriptions: LintRule = {
  name: "near-equal-descriptions",
  severity: "warning",
  about: "Two tools have nearly the same description, so a model cannot tell which one to call.",
  fix: "say in each what the other one does not do",
  *check({ tool }, { tools }) {
    const key = wordsOf(tool.description);
    const twin = key === undefined ? undefined : firstWith(tools).get(key);
    if (twin !== undefined && twin !== tool.name)
      yield {
        path: tool.at.description,
        message: `Its description says the same as that of the tool "${twin.slice(0, 64)}"`,
      };
  },
};

const known = new WeakMap<readonly DeclaredTool[], ReadonlyMap<string, string>>();

/** The first tool with each description. */
function firstWith(tools: readonly DeclaredTool[]): ReadonlyMap<string, string> {
  const found = known.get(tools);
  if (found) return found;
  const first = new Map<string, string>();
  for (const { tool } of tools) {
    const key = wordsOf(tool.description);
    if (key !== undefined && !first.has(key)) first.set(key, tool.name);
  }
  known.set(tools, first);
  return first;
}

/** The words of a description that say something, in their order. */
function wordsOf(description: string | undefined): string | undefined {
  const words = (description ?? "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !FILLERS.has(word));
  return words.length < LEAST_WORDS ? undefined : words.join(" ");
}
