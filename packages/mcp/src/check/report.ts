import { type ContractOptions, createContract, type SchemaObject } from "@toolcontract/core";
import { oneLine } from "@toolcontract/core/adapter";
import { isRecord } from "../wire/index.ts";

/** One tool of a server, and how it would be guarded. */
interface ToolReport {
  readonly name: string;
  readonly isGuarded: boolean;
  readonly oddities: readonly string[];
}

/** What a server answered when it was asked. */
interface ServerTools {
  /** Its name and version; empty if it did not give them. */
  readonly server: string;
  /** The entries of its list, as it sent them. */
  readonly tools: readonly unknown[];
}

/** What the report depends on beside the list. */
export interface ServerReportOptions {
  readonly contract: ContractOptions;
  readonly isOff: (tool: string) => boolean;
  /** The tools that `--tool` names. */
  readonly named?: readonly string[];
}

/** Writes what would be guarded, a line for each tool. */
export function reportOf({ server, tools }: ServerTools, options: ServerReportOptions): string {
  const names = tools.map((tool) => (isRecord(tool) ? tool["name"] : undefined));
  const lastAt = new Map(names.map((name, at) => [name, at]));
  const twins = new Set(names.filter((name, at) => lastAt.get(name) !== at));
  const reports = tools.map((tool) => toolReport(tool, twins, options));
  const guarded = reports.filter(({ isGuarded }) => isGuarded).length;
  const name = server === "" ? "The server" : shownText(server);
  return [
    `${name} was reached: ${tools.length} tools, ${guarded} guarded`,
    ...reports.map(lineOf),
    ...(options.named ?? [])
      .filter((tool) => reports.every(({ name: listed }) => listed !== tool))
      .map((tool) => `  ${shownText(tool)}: --tool names it, and the server does not list it`),
    "",
  ].join("\n");
}

function lineOf({ name, isGuarded, oddities }: ToolReport): string {
  const about = [isGuarded ? "guarded" : "not guarded", ...oddities];
  return `  ${shownText(name)}: ${about.join("; ")}`;
}

function toolReport(
  entry: unknown,
  twins: ReadonlySet<unknown>,
  options: ServerReportOptions,
): ToolReport {
  const { name, description, inputSchema } = isRecord(entry) ? entry : {};
  if (typeof name !== "string" || name === "") {
    return { name: "(no name)", isGuarded: false, oddities: ["a tool must have a name"] };
  }
  const oddities: string[] = [];
  if (typeof description !== "string" || description === "") oddities.push("it has no description");
  if (options.isOff(name)) {
    return { name, isGuarded: false, oddities: ["--tool turns it off", ...oddities] };
  }
  if (twins.has(name))
    return { name, isGuarded: false, oddities: ["it is listed twice", ...oddities] };
  if (!isRecord(inputSchema)) {
    return { name, isGuarded: false, oddities: ["it has no input schema", ...oddities] };
  }
  if (inputSchema["type"] !== "object") oddities.push('its schema has no "type": "object"');
  const faults = schemaFaults(name, inputSchema, options.contract);
  return { name, isGuarded: !faults.isOpen, oddities: [...faults.found, ...oddities] };
}

/** The faults of schemas with which any arguments pass. */
const OPEN = new Map([
  ["schema: schema-not-compiled", "its schema does not compile"],
  ["schema: unknown-dialect", "its schema is of an unknown dialect"],
]);

/** Checks empty arguments, which shows what of the schema cannot be enforced. */
function schemaFaults(
  name: string,
  inputSchema: SchemaObject,
  options: ContractOptions,
): { readonly found: readonly string[]; readonly isOpen: boolean } {
  const found: string[] = [];
  let isOpen = false;
  const contract = createContract({ ...options, logger: () => undefined });
  contract.on("contract-degraded", ({ stage, places }) => {
    isOpen ||= OPEN.has(stage);
    const words = OPEN.get(stage) ?? stage.replace(/^schema: /, "").replaceAll("-", " ");
    found.push(places === undefined ? words : `${words} at ${shownText(places.join(", "))}`);
  });
  const { "~standard": _, ...schema } = inputSchema;
  contract.check({ name, inputSchema: schema }, {});
  return { found, isOpen };
}

/** Names are the server's: each is one line, and has an end. */
function shownText(text: string): string {
  return oneLine(text, 200);
}
