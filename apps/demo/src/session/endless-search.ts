import type { Claim } from "../assertions.ts";
import type { SessionScenario, SessionScene } from "./session-scenario.ts";

const ANSWER = "One result, and no name so far.";

/** A model that would search for ever, and three turns for it. */
export const endlessSearch = {
  limits: { maxTurns: 3 },
  tools: [{ name: "search", description: "Searches", run: () => "One of many results" }],
  script: [
    { calls: [{ tool: "search", args: { words: "archive" } }] },
    { calls: [{ tool: "search", args: { words: "archive founder" } }] },
    {
      calls: [
        { tool: "search", args: { words: "archive founder name" } },
        { tool: "agent__final_report", args: { format: "markdown", content: ANSWER } },
      ],
    },
  ],
} satisfies Partial<SessionScenario>;

/** Claims that the last turn was one for the report alone, and brought it. */
export function claimLastTurn(
  { limited: { answers, offered, result } }: SessionScene,
  claim: Claim,
): void {
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
  claim("the report is the result", result.finalReport?.content === ANSWER, result.finalReport);
}
