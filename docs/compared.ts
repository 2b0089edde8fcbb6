import { readPage } from "./fences.ts";

/** The tables of `docs/compared.md`, made from what the kit and the benchmarks found. */
export interface ComparedTables {
  /** What each framework does with a bad call, clause by clause. */
  readonly clauses: string;
  /** What the message of each carries, and what it costs. */
  readonly messages: string;
}

/** Makes the tables anew. */
export function comparedTables(): ComparedTables {
  return { clauses: clauseTable(), messages: messageTable() };
}

/** A page with its tables made anew. */
export function withTables(page: string, { clauses, messages }: ComparedTables): string {
  return page
    .replace(between("clauses"), `$1${clauses}$2`)
    .replace(between("messages"), `$1${messages}$2`);
}

function between(name: string): RegExp {
  return new RegExp(`(<!-- ${name} begin -->\n\n)[^]*?(\n\n<!-- ${name} end -->)`);
}

/** The rows of the kit's matrix that are compared: one with the contract, and each framework as its tools are best declared. */
const PROGRAMS = [
  ["with the contract", "langchain contract"],
  ["AI SDK", "ai-sdk zod"],
  ["LangChain", "langchain zod"],
  ["LangGraph", "langgraph bare"],
  ["MCP SDK", "mcp bare"],
  ["OpenAI Agents", "openai-agents zod"],
  ["Mastra", "mastra zod"],
] as const;

function clauseTable(): string {
  const page = readPage("docs/conformance.md");
  const [rules = ""] = page.split("## L4");
  const clauses = [...rules.matchAll(/^\| `([\w-]+)` +\| (.*?) +\|/gm)];
  const cellsWith = (text: string): readonly string[] => {
    const row = page.split("\n").find((line) => line.includes(text));
    return row?.split("|").map((cell) => cell.trim()) ?? [];
  };
  const losses = cellsWith("| loses ").indexOf("loses");
  const lost = PROGRAMS.map(([, name]) => {
    const cells = cellsWith(`| \`${name}\` `);
    return new Map(
      [...(cells[losses] ?? "").matchAll(/`([\w-]+)` (\d+)/g)].map(([, id, n]) => [id, n]),
    );
  });
  const rows = clauses.map(([, id = "", clause = ""]) => [
    clause.split(/(?<=\.) /)[0] ?? clause,
    ...lost.map((broken) => {
      const count = broken.get(id);
      return count === undefined ? "yes" : `no, ${count}`;
    }),
  ]);
  return table(["clause", ...PROGRAMS.map(([title]) => title)], rows);
}

interface Result {
  readonly system: string;
  readonly schema: string;
  readonly figures: {
    readonly ranInvalid: number;
    readonly explained: number;
    readonly repaired: readonly number[];
    readonly secretsLeaked: number;
    readonly tokens: { readonly median: number };
  };
}

const SYSTEMS = [
  "Toolcontract standard, core",
  "Toolcontract compact, core",
  "AI SDK 7",
  "LangChain createAgent",
  "LangGraph ToolNode",
  "MCP SDK v2 McpServer",
  "Mastra",
  "ajv-human-errors",
];

function messageTable(): string {
  const { results } = JSON.parse(readPage("docs/benchmarks/recovery.json")) as {
    readonly results: readonly Result[];
  };
  const shown = SYSTEMS.flatMap((name) => results.filter(({ system }) => system === name));
  const percent = (share = 0): string => `${(100 * share).toFixed(1)} %`;
  const rows = shown.map(({ system, schema, figures }) => [
    system.replace(", core", ""),
    schema === "zod" ? "zod" : "JSON Schema",
    percent(figures.ranInvalid),
    percent(figures.explained),
    percent(figures.repaired[0]),
    String(figures.secretsLeaked),
    figures.tokens.median === 0 ? "no answer" : String(figures.tokens.median),
  ]);
  const heads = [
    "system",
    "tools",
    "invalid calls that ran",
    "faults with their fix",
    "right after one message",
    "secrets repeated",
    "tokens, median",
  ];
  return table(heads, rows);
}

/** A table as the formatter writes it. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(heads), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join(
    "\n",
  );
}
