import { onSdkSession } from "../session/sdk-session.ts";

/** A provider that is over its rate limit: the next one answers, in the same turn. */
export const sessionNextProvider = onSdkSession({
  name: "session-next-provider",
  title: "A provider that is busy, and a second one that answers",
  story: "A rate limit ends the run, although another provider would have answered.",
  limits: { maxTurns: 2 },
  firstProviderFails: 429,
  tools: [{ name: "read_stock", description: "Reads the stock", run: () => "A1: 5 pieces" }],
  script: [
    { calls: [{ tool: "read_stock", args: {} }] },
    { learned: ["A1: 5 pieces"], calls: [], says: "There are five pieces of A1." },
  ],
  verify({ bare, limited: { result } }, claim) {
    claim(
      "without a session the application gets an exception",
      bare.thrown === "The provider is busy",
      bare.thrown,
    );
    const asked = result.accounting.flatMap((entry) =>
      entry.type === "llm" ? [`${entry.provider} ${entry.status}`] : [],
    );
    claim(
      "with it the second provider answers both turns, and the failed requests are in the accounting",
      asked.join() === "first failed,mock-provider ok,first failed,mock-provider ok",
      asked,
    );
    claim("two turns are used, not four", result.success, result.error);
  },
});
