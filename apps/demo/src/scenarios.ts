import { createRequire } from "node:module";
import type { Scenario } from "./scenario.ts";
import { aiSdkCardNumber } from "./scenarios/ai-sdk-card-number.ts";
import { aiSdkClientTool } from "./scenarios/ai-sdk-client-tool.ts";
import { aiSdkDropTool } from "./scenarios/ai-sdk-drop-tool.ts";
import { aiSdkFinalAnswer } from "./scenarios/ai-sdk-final-answer.ts";
import { aiSdkMcpTool } from "./scenarios/ai-sdk-mcp-tool.ts";
import { aiSdkSpentBudget } from "./scenarios/ai-sdk-spent-budget.ts";
import { aiSdkStockRule } from "./scenarios/ai-sdk-stock-rule.ts";
import { aiSdkStop } from "./scenarios/ai-sdk-stop.ts";
import { aiSdkStream } from "./scenarios/ai-sdk-stream.ts";
import { aiSdkThrow } from "./scenarios/ai-sdk-throw.ts";
import { allValid } from "./scenarios/all-valid.ts";
import { aiSdkTelemetry } from "./scenarios/ai-sdk-telemetry.ts";
import { cutOutput } from "./scenarios/cut-output.ts";
import { fileAgent } from "./scenarios/file-agent.ts";
import { houseRule } from "./scenarios/house-rule.ts";
import { langchainCompensation } from "./scenarios/langchain-compensation.ts";
import { langchainDefaultText } from "./scenarios/langchain-default-text.ts";
import { langchainInterrupt } from "./scenarios/langchain-interrupt.ts";
import { langchainLoop } from "./scenarios/langchain-loop.ts";
import { langchainMcpTool } from "./scenarios/langchain-mcp-tool.ts";
import { langchainNotConnected } from "./scenarios/langchain-not-connected.ts";
import { langchainSilentEnd } from "./scenarios/langchain-silent-end.ts";
import { langchainToolNode } from "./scenarios/langchain-tool-node.ts";
import { mastraHalfCall } from "./scenarios/mastra-half-call.ts";
import { mcpAssist } from "./scenarios/mcp-assist.ts";
import { mcpFilesystem } from "./scenarios/mcp-filesystem.ts";
import { mcpLowLevel } from "./scenarios/mcp-low-level.ts";
import { mcpOneByOne } from "./scenarios/mcp-one-by-one.ts";
import { misspeltKey } from "./scenarios/misspelt-key.ts";
import { nearMissEnum } from "./scenarios/near-miss-enum.ts";
import { openaiAgentsUnknownTool } from "./scenarios/openai-agents-unknown-tool.ts";
import { repeatedCall } from "./scenarios/repeated-call.ts";
import { secretArguments } from "./scenarios/secret-arguments.ts";
import { sessionFlood } from "./scenarios/session-flood.ts";
import { sessionHangingTool } from "./scenarios/session-hanging-tool.ts";
import { sessionNextProvider } from "./scenarios/session-next-provider.ts";
import { sessionRecursionLimit } from "./scenarios/session-recursion-limit.ts";
import { sessionTurnLimit } from "./scenarios/session-turn-limit.ts";
import { smallSlips } from "./scenarios/small-slips.ts";
import { spentAttempts } from "./scenarios/spent-attempts.ts";
import { threeFaults } from "./scenarios/three-faults.ts";
import { tradingAgent } from "./scenarios/trading-agent.ts";
import { unknownTool } from "./scenarios/unknown-tool.ts";
import { wrongTypes } from "./scenarios/wrong-types.ts";

/** All scenarios, in the order of the demo. */
export const SCENARIOS: readonly Scenario[] = [
  aiSdkCardNumber,
  wrongTypes,
  misspeltKey,
  nearMissEnum,
  threeFaults,
  smallSlips,
  cutOutput,
  repeatedCall,
  spentAttempts,
  unknownTool,
  secretArguments,
  houseRule,
  allValid,
  aiSdkStream,
  aiSdkDropTool,
  aiSdkStop,
  aiSdkThrow,
  aiSdkClientTool,
  aiSdkMcpTool,
  aiSdkFinalAnswer,
  aiSdkTelemetry,
  langchainDefaultText,
  langchainLoop,
  langchainSilentEnd,
  langchainInterrupt,
  langchainMcpTool,
  langchainToolNode,
  openaiAgentsUnknownTool,
  ...(isInstalled("@mastra/core/agent") ? [mastraHalfCall] : []),
  aiSdkStockRule,
  aiSdkSpentBudget,
  langchainCompensation,
  langchainNotConnected,
  tradingAgent,
  fileAgent,
  mcpFilesystem,
  mcpLowLevel,
  mcpOneByOne,
  mcpAssist,
  sessionHangingTool,
  sessionFlood,
  sessionNextProvider,
  sessionTurnLimit,
  sessionRecursionLimit,
];

/** The scenarios of guardrails and sessions, which the playground shows as a recording because they need Node. */
export const RECORDED: readonly Scenario[] = [
  aiSdkStockRule,
  aiSdkSpentBudget,
  langchainCompensation,
  langchainNotConnected,
  sessionHangingTool,
  sessionFlood,
  sessionNextProvider,
  sessionTurnLimit,
  sessionRecursionLimit,
];

/** The scenarios that are printed whole unless all are: what two frameworks do without, the message, the limit, a guardrail, and a session. */
export const FEATURED: readonly Scenario[] = [
  aiSdkCardNumber,
  threeFaults,
  spentAttempts,
  langchainSilentEnd,
  aiSdkStockRule,
  sessionTurnLimit,
];

/** Whether a package is there: `pnpm demo` installs no framework that is large and has one scene. */
function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}
