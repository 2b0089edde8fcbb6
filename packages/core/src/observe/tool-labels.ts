const MAX_LABELS = 1_000;

/** Gives a tool's metric label: its name, or `(other)` once 1,000 names are in use. */
export type ToolLabels = (toolName: string) => string;

/** Makes labels whose number stays bounded, because every new one costs memory in each metrics backend. */
export function createToolLabels(): ToolLabels {
  const known = new Set<string>();
  return (toolName) => {
    if (known.has(toolName)) return toolName;
    if (known.size === MAX_LABELS) return "(other)";
    known.add(toolName);
    return toolName;
  };
}
