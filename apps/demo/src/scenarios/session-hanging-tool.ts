import { onSdkSession } from "../session/sdk-session.ts";

/** A tool that never answers: it is given up in time, and the model works with what the other one returned. */
export const sessionHangingTool = onSdkSession({
  name: "session-hanging-tool",
  title: "A tool that hangs is given up, and the run goes on",
  story:
    "A tool that never answers holds up the run for ever: the AI SDK waits for it even after an abort.",
  limits: { toolTimeout: 60 },
  tools: [
    { name: "read_stock", description: "Reads the stock", run: () => "A1: 5 pieces" },
    {
      name: "ask_supplier",
      description: "Asks the supplier",
      run: async () => new Promise<string>(() => undefined),
    },
  ],
  script: [
    {
      calls: [
        { tool: "read_stock", args: {} },
        { tool: "ask_supplier", args: {} },
      ],
    },
    {
      learned: ["A1: 5 pieces", "(tool failed: timeout)"],
      calls: [
        {
          tool: "agent__final_report",
          args: { format: "markdown", content: "Five pieces; the supplier did not answer." },
        },
      ],
    },
  ],
  verify({ bare, limited: { result } }, claim) {
    claim(
      "without a session the run hangs, and an abort does not end it",
      bare.thrown === "it hangs, and was aborted in vain",
      bare.thrown,
    );
    claim("with it the model's report is the result", result.success, result);
    claim(
      "the failed call is in the accounting, as a timeout",
      result.accounting.some(
        (entry) =>
          entry.type === "tool" && entry.command === "ask_supplier" && entry.error === "timeout",
      ),
      result.accounting,
    );
  },
});
