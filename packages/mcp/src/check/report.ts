import { type ContractOptions, createContract, type SchemaObject } from "@toolcontract/core";
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
  const reports = tools.map((tool) => toolReport(tool, tools, options));
  const guarded = reports.filter(({ isGuarded }) => isGuarded).length;
  const name = server === "" ? "The server" : printableText(server);
  return [
    `${name} was reached: ${tools.length} tools, ${guarded} guarded`,
    ...reports.map(lineOf),
    ...(options.named ?? [])
      .filter((tool) => reports.every(({ name: listed }) => listed !== tool))
      .map((tool) => `  ${printableText(tool)}: --tool names it, and the server does not list it`),
    "",
  ].join("\n");
}

function lineOf({ name, isGuarded, oddities }: ToolReport): string {
  const about = [isGuarded ? "guarded" : "not guarded", ...oddities];
  return `  ${printableText(name)}: ${about.join("; ")}`;
}

function toolReport(
  entry: unknown,
  all: readonly unknown[],
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
  const isTwin = all.filter((other) => isRecord(other) && other["name"] === name).length > 1;
  if (isTwin) return { name, isGuarded: false, oddities: ["it is listed twice", ...oddities] };
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
    found.push(places === undefined ? words : `${words} at ${printableText(places.join(", "))}`);
  });
  const { "~standard": _, ...schema } = inputSchema;
  contract.check({ name, inputSchema: schema }, {});
  return { found, isOpen };
}

/** Without control characters, which a terminal would interpret: names are the server's. */
function printableText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\u{FFFD}").slice(0, 200);
}
