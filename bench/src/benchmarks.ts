import type { Benchmark } from "./benchmark.ts";
import { agentsOverhead } from "./benchmarks/agents-overhead.ts";
import { aggregation } from "./benchmarks/aggregation.ts";
import { aiSdkOverhead } from "./benchmarks/ai-sdk-overhead.ts";
import { allocations } from "./benchmarks/allocations.ts";
import { argumentGrowth } from "./benchmarks/argument-growth.ts";
import { bundleSize } from "./benchmarks/bundle-size.ts";
import { compile } from "./benchmarks/compile.ts";
import { errorGrowth } from "./benchmarks/error-growth.ts";
import { formatting } from "./benchmarks/formatting.ts";
import { guardrails } from "./benchmarks/guardrails.ts";
import { happyPath, happyPathZod } from "./benchmarks/happy-path.ts";
import { handledCall } from "./benchmarks/handled-call.ts";
import { historySize } from "./benchmarks/history-size.ts";
import { importTime } from "./benchmarks/import-time.ts";
import { interpreter } from "./benchmarks/interpreter.ts";
import { isolation } from "./benchmarks/isolation.ts";
import { langchainOverhead } from "./benchmarks/langchain-overhead.ts";
import { lint } from "./benchmarks/lint.ts";
import { longHistory } from "./benchmarks/long-history.ts";
import { longRun } from "./benchmarks/long-run.ts";
import { mcpInProcess } from "./benchmarks/mcp-in-process.ts";
import { mcpLatency } from "./benchmarks/mcp-latency.ts";
import { mcpLoad } from "./benchmarks/mcp-load.ts";
import { mcpMemory } from "./benchmarks/mcp-memory.ts";
import { ownLoop } from "./benchmarks/own-loop.ts";
import { redaction } from "./benchmarks/redaction.ts";
import { rejectedCall } from "./benchmarks/rejected-call.ts";
import { replicas } from "./benchmarks/replicas.ts";
import { sessionMemory } from "./benchmarks/session-memory.ts";
import { sessionOverhead } from "./benchmarks/session-overhead.ts";
import { store } from "./benchmarks/store.ts";
import { telemetry } from "./benchmarks/telemetry.ts";
import { tracking } from "./benchmarks/tracking.ts";

/** All benchmarks in the order they run. */
export const BENCHMARKS: readonly Benchmark[] = [
  happyPath,
  happyPathZod,
  handledCall,
  ownLoop,
  interpreter,
  rejectedCall,
  aiSdkOverhead,
  langchainOverhead,
  agentsOverhead,
  sessionOverhead,
  mcpInProcess,
  formatting,
  redaction,
  aggregation,
  tracking,
  telemetry,
  store,
  replicas,
  guardrails,
  isolation,
  compile,
  lint,
  argumentGrowth,
  errorGrowth,
  historySize,
  longHistory,
  longRun,
  allocations,
  importTime,
  bundleSize,
  mcpLatency,
  mcpLoad,
  mcpMemory,
  sessionMemory,
];
