import { ToolContractError } from "@toolcontract/core";
import { isFunction, isRecord, readMember } from "@toolcontract/core/adapter";

/** What is known of a graph before it runs. */
export interface AgentFacts {
  /** The agent's middleware; undefined for a graph that is not an agent, or has agents in its nodes. */
  readonly middleware: readonly unknown[] | undefined;
  /** The least recursion limit that it was given. */
  readonly recursionLimit: number;
}

/** Reads an agent; throws if it is not one, or lacks the session's middleware. */
export function readAgent(where: string, agent: unknown, own: object, config: unknown): AgentFacts {
  if (!isFunction.fits(readMember(agent, "stream"))) {
    throw new ToolContractError(
      `${where}: pass what createAgent or graph.compile() returned to run(agent, input, config).`,
    );
  }
  const options = readMember(agent, "options");
  const isAgent = isRecord(options) && "model" in options;
  const listed = isAgent ? (options["middleware"] ?? []) : undefined;
  const middleware = Array.isArray(listed) ? (listed as readonly unknown[]) : undefined;
  if (middleware && !middleware.includes(own)) {
    throw new ToolContractError(
      `${where}: the agent does not have the middleware of this session, so it has no limits. Pass it: createAgent({ middleware: [session.middleware] }).`,
    );
  }
  const given = [config, readMember(readMember(agent, "graph"), "config")]
    .map((one) => readMember(one, "recursionLimit"))
    .filter((limit) => typeof limit === "number");
  return { middleware, recursionLimit: Math.max(0, ...given) };
}

const HOOKS_PER_TURN = ["beforeModel", "afterModel"];
const HOOKS_PER_RUN = ["beforeAgent", "afterAgent"];
// A node for the model and one for the tools.
const STEPS_PER_TURN = 2;
const SPARE_STEPS = 10;
// A graph that is not an agent may have any number of nodes.
const UNKNOWN_STEPS = 10;

/** The recursion limit with which all turns fit; never less than the agent was given. */
export function recursionLimitFor(
  { middleware, recursionLimit }: AgentFacts,
  maxTurns: number,
): number {
  const count = (names: readonly string[]): number =>
    (middleware ?? []).flatMap((one) => names.filter((name) => readMember(one, name) !== undefined))
      .length;
  const perTurn = STEPS_PER_TURN + (middleware ? count(HOOKS_PER_TURN) : UNKNOWN_STEPS);
  // The model's node is entered once more to end the run.
  return Math.max(recursionLimit, (maxTurns + 1) * perTurn + count(HOOKS_PER_RUN) + SPARE_STEPS);
}

/** Whether middleware looks at the model's answers in a node of its own. */
export function isWatched({ middleware }: AgentFacts): boolean {
  return middleware?.some((one) => readMember(one, "afterModel") !== undefined) ?? true;
}

const CONFLICTING = /^(?:modelCallLimit|toolCallLimit|modelFallback|modelRetry)Middleware/i;

/** The names of LangChain's own middleware that ends or repeats what the session counts. */
export function conflictingNames({ middleware }: AgentFacts): readonly string[] {
  return (middleware ?? [])
    .map((one) => readMember(one, "name"))
    .filter((name): name is string => typeof name === "string" && CONFLICTING.test(name));
}
