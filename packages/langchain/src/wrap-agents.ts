import { ToolContractError } from "@toolcontract/core";
import { isRecord } from "@toolcontract/core/adapter";
import type { AgentMiddleware } from "langchain";
import { createMiddlewareGuard, middlewareOf, type ToolContractMiddleware } from "./middleware.ts";
import type { Team, ToolContractMiddlewareOptions } from "./options.ts";
import { namesOfTools } from "./tool-definitions.ts";

/** The name of the agent that deepagents adds to every team unless it is given one. */
const GENERAL_PURPOSE = "general-purpose";

/** The part of an agent's settings that is wrapped: those of `createAgent`, or of `createDeepAgent` with its `subagents`. */
export interface WrappableAgent {
  /** The agent's name, by which a team knows it. */
  readonly name?: string;
  /** The agent's tools. */
  readonly tools?: readonly unknown[];
  /** Its other middleware. */
  readonly middleware?: readonly AgentMiddleware[];
  /** Sub-agents of `createDeepAgent`, which are wrapped too; compiled and remote ones are left as they are. */
  readonly subagents?: readonly object[];
}

/** The settings of an agent with the contract as its first middleware. */
export type WrappedAgent<TAgent extends WrappableAgent> = Omit<TAgent, "middleware"> & {
  /** The contract, and the agent's own. */
  middleware: [
    ToolContractMiddleware,
    ...(TAgent extends { readonly middleware: infer TOthers extends readonly AgentMiddleware[] }
      ? TOthers
      : []),
  ];
};

/**
 * Puts one contract around an agent and its sub-agents: returns the settings for `createAgent` or `createDeepAgent`, with the
 * contract as the first middleware of each.
 *
 * @throws ToolContractError if the settings or an option are of the wrong type, or sub-agents of deepagents would be left out.
 * @example
 * ```ts
 * const settings = { model, tools, subagents: [GENERAL_PURPOSE_SUBAGENT] };
 * const agent = createDeepAgent(wrapAgent(settings, { maxAttempts: 3 }));
 * ```
 * @see docs/teams.md
 */
export function wrapAgent<TAgent extends WrappableAgent>(
  agent: TAgent,
  options: ToolContractMiddlewareOptions = {},
): WrappedAgent<TAgent> {
  return wrapTeam("wrapAgent", [agent], options)[0] as WrappedAgent<TAgent>;
}

/**
 * Puts one contract around the agents of a swarm, a supervisor or a graph, and returns their settings in the same order.
 *
 * @throws ToolContractError if the settings or an option are of the wrong type, or sub-agents of deepagents would be left out.
 * @example
 * ```ts
 * const [ann, ben] = wrapAgents([{ name: "ann", model, tools }, { name: "ben", model, tools }]);
 * const agents = [createAgent(ann).graph, createAgent(ben).graph];
 * ```
 * @see docs/teams.md
 */
export function wrapAgents<TAgents extends readonly WrappableAgent[] | []>(
  agents: TAgents,
  options: ToolContractMiddlewareOptions = {},
): { -readonly [Index in keyof TAgents]: WrappedAgent<TAgents[Index]> } {
  return wrapTeam("wrapAgents", agents, options) as {
    -readonly [Index in keyof TAgents]: WrappedAgent<TAgents[Index]>;
  };
}

function wrapTeam(
  where: string,
  agents: readonly WrappableAgent[],
  options: ToolContractMiddlewareOptions,
): readonly object[] {
  const guard = createMiddlewareGuard(where, options);
  if (!Array.isArray(agents)) fail(where, "pass the settings of several agents as a list");
  for (const agent of agents) checkAgent(where, agent);
  const all = agents.flatMap((agent) => [agent, ...subagentsOf(agent)]);
  const team: Team = {
    agents: new Set(all.flatMap(({ name = "" }) => (name === "" ? [] : [name]))),
    tools: new Set(all.flatMap(({ tools = [] }) => [...namesOfTools(tools)])),
  };
  const wrap = (agent: WrappableAgent): WrappableAgent => {
    if (!isDeclared(agent)) return agent;
    const { middleware = [], subagents } = agent;
    const ours = middlewareOf({ ...guard, team }, options.name);
    const below = subagents && subagentsOf(agent).map((one) => wrap(withSkills(one, agent)));
    return { ...agent, middleware: [ours, ...middleware], ...(below && { subagents: below }) };
  };
  return agents.map(wrap);
}

function subagentsOf({ subagents = [] }: WrappableAgent): readonly WrappableAgent[] {
  return subagents;
}

/** Whether an agent is still to be made: deepagents takes agents that are made (`runnable`) or elsewhere (`graphId`), too. */
function isDeclared(agent: object): boolean {
  return !("runnable" in agent) && !("graphId" in agent);
}

/** deepagents gives the agent that it adds the skills of the one above. */
function withSkills(agent: WrappableAgent, above: WrappableAgent): WrappableAgent {
  if (agent.name !== GENERAL_PURPOSE || !("skills" in above)) return agent;
  return { skills: above.skills, ...agent } as WrappableAgent;
}

function checkAgent(where: string, agent: unknown): void {
  if (!isRecord(agent) || "invoke" in agent) {
    fail(where, "pass the settings of agents, such as { model, tools }, before createAgent");
  }
  if ("llm" in agent) {
    fail(
      where,
      "createReactAgent and createSupervisor take no middleware. Pass them tools: wrapTools(tools, options)",
    );
  }
  const { subagents } = agent as WrappableAgent;
  if (
    subagents === undefined ||
    subagents.some((one) => "name" in one && one.name === GENERAL_PURPOSE)
  )
    return;
  fail(
    where,
    `deepagents adds a sub-agent '${GENERAL_PURPOSE}' with the same tools, which would be outside of the contract. Pass GENERAL_PURPOSE_SUBAGENT of deepagents among the subagents`,
  );
}

function fail(where: string, problem: string): never {
  throw new ToolContractError(`${where}: ${problem}.`);
}
