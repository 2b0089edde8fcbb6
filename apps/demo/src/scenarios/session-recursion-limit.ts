import { onAgentSession } from "../session/agent-session.ts";

/** A model that would go on for ever, in LangChain: an answer instead of a GraphRecursionError. */
export const sessionRecursionLimit = onAgentSession({
  name: "session-recursion-limit",
  title: "LangChain: the turn limit, with an answer",
  story: "At its limit of steps the graph throws, and everything that the tools returned is lost.",
  limits: { maxTurns: 3 },
  tools: [{ name: "search", description: "Searches", run: () => "One of many results" }],
  script: [
    { calls: [{ tool: "search", args: { words: "archive" } }] },
    { calls: [{ tool: "search", args: { words: "archive founder" } }] },
    {
      calls: [
        { tool: "search", args: { words: "archive founder name" } },
        {
          tool: "agent__final_report",
          args: { format: "markdown", content: "One result, and no name so far." },
        },
      ],
    },
  ],
  verify({ bare, limited: { answers, offered, result } }, claim) {
    claim(
      "without a session the run throws GraphRecursionError",
      bare.thrown === "GraphRecursionError",
      bare.thrown,
    );
    claim(
      "with it the last request offers the report tool alone",
      offered.length === 3 && offered[2]?.join() === "agent__final_report",
      offered,
    );
    claim(
      "another call in the last turn does not run, and is answered",
      answers.get("call_3_1") ===
        "(tool failed: this is the last turn; only agent__final_report can be called)",
      answers.get("call_3_1"),
    );
    claim(
      "the report is the result",
      result.finalReport?.content === "One result, and no name so far.",
      result.finalReport,
    );
  },
});
