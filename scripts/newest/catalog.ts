/** The packages of each adapter's framework, which are released together. */
export const FRAMEWORKS: Readonly<Record<string, RegExp>> = {
  "ai-sdk": /^(?:ai|@ai-sdk\/.+)$/,
  langchain: /^(?:langchain|@langchain\/.+)$/,
  mastra: /^@mastra\/.+$/,
  mcp: /^(?:@modelcontextprotocol\/(?!conformance).+|@opentelemetry\/.+|redis)$/,
  "openai-agents": /^@openai\/.+$/,
};

const ENTRY = /^ {2}"?([^":]+)"?: (\S+)$/;
const OVERRIDE = /^ {2}"([^">]+)@([^">]+)>([^"]+)": \S+$/;

/** The framework's packages in the catalog; an alias (`npm:`) is an older major on purpose. */
export function peersIn(workspace: string, framework: RegExp): readonly string[] {
  return catalogOf(workspace).flatMap(([name, version]) =>
    framework.test(name) && !version.startsWith("npm:") ? [name] : [],
  );
}

/** The workspace's file with these versions, and without the overrides that hold today's versions together. */
export function withVersions(workspace: string, versions: ReadonlyMap<string, string>): string {
  const today = new Map(catalogOf(workspace));
  return workspace
    .split("\n")
    .flatMap((line) => {
      const [, parent = "", version, child = ""] = OVERRIDE.exec(line) ?? [];
      if (versions.has(parent) && versions.has(child) && version === today.get(parent)) return [];
      const [, name = "", range = ""] = ENTRY.exec(line) ?? [];
      const newest = versions.get(name);
      if (newest === undefined || range.startsWith("npm:")) return [line];
      return [line.slice(0, line.length - range.length) + newest];
    })
    .join("\n");
}

function catalogOf(workspace: string): readonly (readonly [name: string, version: string])[] {
  const [, catalog = ""] = /^catalog:\n((?: .*\n|\n)*)/m.exec(workspace) ?? [];
  return catalog.split("\n").flatMap((line) => {
    const [, name, version] = ENTRY.exec(line) ?? [];
    return name === undefined || version === undefined ? [] : [[name, version] as const];
  });
}
