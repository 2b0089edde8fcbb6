import { onAgentSession } from "../session/agent-session.ts";
import { claimLastTurn, endlessSearch } from "../session/endless-search.ts";

/** A model that would go on for ever, in LangChain: an answer instead of a GraphRecursionError. */
export const sessionRecursionLimit = onAgentSession({
  ...endlessSearch,
  name: "session-recursion-limit",
  title: "LangChain: the turn limit, with an answer",
  story: "At its limit of steps the graph throws, and everything that the tools returned is lost.",
  verify(scene, claim) {
    const { thrown } = scene.bare;
    claim(
      "without a session the run throws GraphRecursionError",
      thrown === "GraphRecursionError",
      thrown,
    );
    claimLastTurn(scene, claim);
  },
});
