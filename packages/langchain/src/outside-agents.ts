import { isRecord } from "@toolcontract/core/adapter";
import type { MiddlewareGuard } from "./options.ts";
import { declaredSchema, isNamedTool } from "./tool-definitions.ts";

/** The tool with which an agent of deepagents hands tasks to its sub-agents. */
const TASK = "task";

/** Logs which sub-agents of deepagents may be outside of the contract: it gives them middleware of their own settings alone. */
export function noteOutsideAgents(
  tools: readonly unknown[],
  { contract, team, endNext }: MiddlewareGuard,
): void {
  const task = tools.filter(isNamedTool).find(({ name }) => name === TASK);
  const outside = subagentNamesIn(task && declaredSchema(task)).filter(
    (name) => !team?.agents.has(name),
  );
  if (outside.length === 0) return;
  const { settings } = contract;
  const guarded = tools
    .filter(isNamedTool)
    .flatMap(({ name }) => (settings.judges(name) ? [name] : []));
  const agents = outside.map((name) => `'${name}'`).join(", ");
  const limits = guarded.length > 0 ? " and its guardrails" : "";
  // A session's middleware is for the agent that it runs.
  const cure = endNext
    ? "wrap the settings of the sub-agents with wrapAgents"
    : "make the settings with wrapAgent, which reaches all of them";
  settings.log(
    { level: "warn", package: "langchain", agents: outside, guarded_tools: guarded },
    `Sub-agents get no middleware from their parent, so ${agents} may call the same tools outside of the contract${limits}: ${cure}`,
  );
}

/** The names in the schema of the tool; none if it is another tool of that name. */
function subagentNamesIn(schema: unknown): readonly string[] {
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  const type = isRecord(properties) ? properties["subagent_type"] : undefined;
  const text = isRecord(type) ? type["description"] : undefined;
  const [, names = ""] = typeof text === "string" ? (/Available: (.+)$/.exec(text) ?? []) : [];
  return names.split(", ").filter((name) => name !== "");
}
