/** What happens to the run once a tool's attempts are spent. */
export type Escalate = "end" | "drop-tool" | "interrupt" | "throw";
