import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { createRecentMap, isRecord } from "@toolcontract/core/adapter";
import type { HistoryAgent } from "./history.ts";
import type { HookedRequest } from "./hooks.ts";
import { ambientOf, type CallOrigin, runNameOf } from "./runs.ts";

const MAX_AGENTS = 1_000;
/** The node in which a tool runs: an agent in it is called by a tool, and is not named after it. */
const TOOLS = "tools";

/** Knows which of the agents that share a history asks its model. LangChain does not say it before the model has answered. */
export interface AgentNames {
  /** The agent; undefined if it is not known. */
  of(
    request: Pick<HookedRequest, "state" | "runtime">,
    origin: CallOrigin,
  ): HistoryAgent | undefined;
  /** Remembers what an agent's model answered: its name is written into it later. */
  remember(message: unknown, origin: CallOrigin): void;
}

/** Creates a bounded memory of agents. */
export function createAgentNames(): AgentNames {
  const answers = createRecentMap<string, HistoryAgent>(MAX_AGENTS);
  const keyOf = (origin: CallOrigin): string | undefined => {
    const run = runNameOf(origin);
    return run && JSON.stringify([run, origin.agent]);
  };
  return {
    of({ state, runtime }, origin) {
      const key = keyOf(origin);
      const known = key === undefined ? undefined : answers.get(key);
      if (known) return { name: known.name };
      const names = [nodeOf(origin), configuredName(runtime)].filter((name) => name !== undefined);
      const inHistory = namesIn(state.messages);
      const name = names.find((one) => inHistory.has(one)) ?? nodeOf(origin);
      return name === undefined ? undefined : { name };
    },
    remember(message, origin) {
      const key = keyOf(origin);
      if (key !== undefined && AIMessage.isInstance(message)) answers.set(key, message);
    },
  };
}

/** The node of the graph around an agent's own, which swarms and supervisors name after the agent. */
function nodeOf({ agent }: CallOrigin): string | undefined {
  const name = agent?.split("|").at(-1)?.split(":")[0];
  return name === TOOLS || name === "" ? undefined : name;
}

/** The name that `createAgent` gives to runs that begin with the agent. */
function configuredName(runtime: object): string | undefined {
  const config = ambientOf(runtime);
  const metadata = isRecord(config) ? config["metadata"] : undefined;
  const name = isRecord(metadata) ? metadata["lc_agent_name"] : undefined;
  return typeof name === "string" ? name : undefined;
}

function namesIn(messages: readonly BaseMessage[]): ReadonlySet<string | undefined> {
  return new Set(messages.flatMap((one) => (AIMessage.isInstance(one) ? [one.name] : [])));
}
