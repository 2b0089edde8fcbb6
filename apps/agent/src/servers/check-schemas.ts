import {
  type ContractDegradedEvent,
  type ContractOptions,
  createContract,
  type ToolDefinition,
} from "@toolcontract/core";
import { failureReason } from "@toolcontract/session";

/** What the contract cannot read of the schemas of a server's tools. */
export interface SchemaFaults {
  /** Tools whose calls cannot be validated at all. */
  readonly unusable: readonly string[];
  /** One line for each tool and fault that the contract reads around. */
  readonly warnings: readonly string[];
}

/** The faults with which any arguments are accepted. */
const UNUSABLE = new Set(["schema: schema-not-compiled", "schema: unknown-dialect"]);

/** What happens to the places of a fault. */
const READ_AROUND: Readonly<Record<string, string>> = {
  "schema: keyword-left-out": "is ignored, because it is not valid JSON Schema",
  "schema: keyword-misspelt": "is misspelt, and read as what it must mean",
  "schema: values-contradict-type": "contradicts the type, and is read as what it must mean",
  "schema: pattern-not-compiled":
    "is ignored, because it is not a regular expression of JavaScript",
};

/** Reads every schema once, before a model sees it. */
export function checkSchemas(
  tools: readonly Required<Pick<ToolDefinition, "name" | "inputSchema">>[],
  options: ContractOptions,
): SchemaFaults {
  const contract = createContract({ ...options, logger: false });
  const found: ContractDegradedEvent[] = [];
  contract.on("contract-degraded", (event) => found.push(event));
  for (const { name, inputSchema } of tools) contract.check({ name, inputSchema }, {});
  return {
    unusable: found.flatMap(({ stage, toolName }) =>
      UNUSABLE.has(stage) && toolName !== undefined ? [toolName] : [],
    ),
    warnings: found.flatMap(warningOf),
  };
}

function warningOf({ stage, toolName, places = [] }: ContractDegradedEvent): readonly string[] {
  const what = READ_AROUND[stage];
  if (what === undefined) return [];
  // Written by the server, for a terminal.
  const where = places.join(", ").replaceAll(/\p{C}/gu, "");
  return [`the schema of tool "${failureReason(toolName)}": ${where} ${what}`];
}
