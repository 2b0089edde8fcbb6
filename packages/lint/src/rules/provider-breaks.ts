import {
  REFUSED_SHAPES,
  type FoundRefusal,
  type Provider,
  refusalsOfInput,
  refusalsOfOutput,
  pointerKeys,
  refusalsOfTool,
} from "@toolcontract/explain/adapter";
import {
  type DeclaredTool,
  type LintRule,
  type LintTool,
  type ListFacts,
  type RuleReport,
  join,
} from "../shared/index.ts";

/** How messages call them. */
const NAMES: Readonly<Record<Provider, string>> = {
  openai: "OpenAI",
  anthropic: "Anthropic",
  gemini: "Gemini",
  bedrock: "Bedrock",
  mcp: "clients on the official MCP SDKs",
};
const ALL = Object.keys(NAMES) as readonly Provider[];
/** More tools in one request are refused. */
const MOST_TOOLS = 128;

/** What a provider or a client refuses, and all that is sent beside it. */
export const providerBreaks: LintRule = {
  name: "provider-breaks",
  severity: "error",
  about:
    "A provider or a client refuses the tool, and with it every request or the whole list that the tool is part of.",
  fix: "write what all of them take",
  numbers: "The error names neither tool nor field: it is a 400 of every request of the session.",
  details: tableOfShapes,
  *check(facts, list) {
    const { tool } = facts;
    const search = { providers: takersOf(tool, list), isAsked: list.asked !== undefined };
    if (search.providers.length === 0) return;
    if (tool.form !== "schema") yield* ofDeclaration(facts, list, search.providers);
    const declaration = { ...tool, declaration: tool.source };
    if (tool.form !== "schema")
      for (const found of refusalsOfTool(declaration, search))
        yield reportOf(found, nameOrMember(tool, found.pointer));
    for (const found of refusalsOfInput(tool.inputSchema ?? {}, search))
      if (tool.inputSchema !== undefined)
        yield reportOf(found, join(tool.at.inputSchema, ...pointerKeys(found.pointer)));
    if (tool.outputSchema !== undefined)
      for (const found of refusalsOfOutput(tool.outputSchema, search))
        yield reportOf(found, join(tool.at.outputSchema, ...pointerKeys(found.pointer)));
  },
};

/** Who will read the tool: all whom its form allows, of those that were asked for. */
function takersOf({ form }: LintTool, { asked = ALL }: ListFacts): readonly Provider[] {
  // Only Gemini reads its own dialect, and a list of MCP is read by its clients and then sent to a provider.
  if (form === "gemini") return asked.filter((one) => one === "gemini");
  return form === "mcp" ? asked : asked.filter((one) => one !== "mcp");
}

/** What is refused of a tool as one of a list, and of one without a schema. */
function* ofDeclaration(
  { tool }: DeclaredTool,
  { tools }: ListFacts,
  providers: readonly Provider[],
): Generator<RuleReport> {
  const who = (...all: readonly Provider[]) => all.filter((one) => providers.includes(one));
  if (tool.inputSchema === undefined && who("mcp").length > 0)
    yield {
      path: "",
      message: refused(["mcp"], "the tool has no inputSchema"),
      fix: 'add "inputSchema": { "type": "object", "properties": {} }',
    };
  const first = tools.find((one) => one.tool.name === tool.name);
  // https://github.com/onyx-dot-app/onyx/issues/9229
  if (first?.tool !== tool && who("anthropic", "gemini").length > 0)
    yield {
      path: tool.at.name,
      message: refused(who("anthropic", "gemini"), "another tool of the list has the same name"),
      fix: "rename one of them",
    };
  // https://github.com/cgoinglove/better-chatbot/issues/197
  if (tools[0]?.tool === tool && tools.length > MOST_TOOLS && who("openai").length > 0)
    yield {
      path: "",
      message: refused(["openai"], `the list has ${tools.length} tools, more than ${MOST_TOOLS}`),
      fix: "send the tools that a request needs, or split the server",
      isOfList: true,
    };
}

function reportOf({ who, what, write }: FoundRefusal, path: string): RuleReport {
  return { path, message: refused(who, what), fix: write };
}

function refused(who: readonly Provider[], what: string): string {
  const names = ALL.filter((one) => who.includes(one)).map((one) => NAMES[one]);
  const last = names.at(-1) ?? "";
  const all = names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${last}` : last;
  return `Refused by ${all}, with all that is sent beside it: ${what}`;
}

function nameOrMember(tool: LintTool, pointer: string): string {
  if (pointer === "/name") return tool.at.name;
  return pointer === "/description" ? tool.at.description : pointer;
}

const KNOWN = {
  run: "the SDK was run",
  documented: "documented",
  reported: "reported",
} as const;

/** The table of what is looked for, as Markdown. */
function tableOfShapes(): string {
  const rows = REFUSED_SHAPES.map(({ shape, who, known, source, isOnlyAsked = false }) => {
    const names = who.map((one) => NAMES[one]).join(", ");
    const asked = isOnlyAsked ? "; only if it is named by `--for`" : "";
    const sources = source.replaceAll(
      /https:\/\/\S+?(?=,|$)/g,
      (url) => `[${titleOf(url)}](${url})`,
    );
    return `| ${shape} | ${names}${asked} | ${KNOWN[known]}: ${sources} |`;
  });
  const lists = [
    "| Two tools of one name in a list | Anthropic, Gemini | reported: [onyx-dot-app/onyx#9229](https://github.com/onyx-dot-app/onyx/issues/9229) |",
    "| More than 128 tools in a list | OpenAI | reported: [cgoinglove/better-chatbot#197](https://github.com/cgoinglove/better-chatbot/issues/197) |",
  ];
  return `## What is looked for

\`--for openai,anthropic,gemini,bedrock,mcp\` narrows it to the ones that matter to you.

| shape | refused by | known |
| --- | --- | --- |
${[...rows, ...lists].join("\n")}`;
}

/** `owner/name#12` for a thread on GitHub, else the host. */
function titleOf(url: string): string {
  const thread = /github\.com\/([^/]+\/[^/]+)\/(?:issues|pull)\/(\d+)/.exec(url);
  return thread ? `${thread[1]}#${thread[2]}` : new URL(url).host;
}
