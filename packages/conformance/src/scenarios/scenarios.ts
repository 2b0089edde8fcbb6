import answers from "../../scenarios/answers.json" with { type: "json" };
import approvals from "../../scenarios/approvals.json" with { type: "json" };
import clients from "../../scenarios/clients.json" with { type: "json" };
import cut from "../../scenarios/cut.json" with { type: "json" };
import json from "../../scenarios/json.json" with { type: "json" };
import loops from "../../scenarios/loops.json" with { type: "json" };
import names from "../../scenarios/names.json" with { type: "json" };
import nesting from "../../scenarios/nesting.json" with { type: "json" };
import parallel from "../../scenarios/parallel.json" with { type: "json" };
import secrets from "../../scenarios/secrets.json" with { type: "json" };
import text from "../../scenarios/text.json" with { type: "json" };
import tools from "../../scenarios/tools.json" with { type: "json" };
import values from "../../scenarios/values.json" with { type: "json" };
import type { KitTool, Scenario } from "../shared/index.ts";
import { inventedTools } from "./invented-tools.ts";

/** A scenario as its file has it: tools by name. */
interface ScenarioRow extends Omit<Scenario, "tools"> {
  readonly tools: readonly string[];
  /** How many tools are declared beside those, made up. */
  readonly moreTools?: number;
}

const FILES = [
  values,
  nesting,
  json,
  cut,
  names,
  parallel,
  clients,
  loops,
  secrets,
  text,
  approvals,
  answers,
] as const;

const TOOLS = new Map((tools.tools as readonly KitTool[]).map((tool) => [tool.name, tool]));

/** The scenarios of the kit, in the order of `scenarios/*.json`. */
export const SCENARIOS: readonly Scenario[] = FILES.flatMap((file) =>
  // The published schema of the files has been checked against each of them.
  (file.scenarios as unknown as readonly ScenarioRow[]).map(scenarioOf),
);

function scenarioOf({ moreTools = 0, ...row }: ScenarioRow): Scenario {
  return { ...row, tools: [...row.tools.map(toolOf), ...inventedTools(moreTools)] };
}

function toolOf(name: string): KitTool {
  const tool = TOOLS.get(name);
  if (tool === undefined) throw new Error(`scenarios/tools.json has no tool ${name}`);
  return tool;
}
