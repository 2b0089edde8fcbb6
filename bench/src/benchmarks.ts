import type { Benchmark } from "./benchmark.ts";
import { aggregation } from "./benchmarks/aggregation.ts";
import { aiSdkOverhead } from "./benchmarks/ai-sdk-overhead.ts";
import { formatting } from "./benchmarks/formatting.ts";
import { happyPath } from "./benchmarks/happy-path.ts";
import { historySize } from "./benchmarks/history-size.ts";
import { messageTokens } from "./benchmarks/message-tokens.ts";
import { rejectedCall } from "./benchmarks/rejected-call.ts";
import { tracking } from "./benchmarks/tracking.ts";

/** All benchmarks, in the order in which they run. */
export const BENCHMARKS: readonly Benchmark[] = [
  happyPath,
  rejectedCall,
  formatting,
  aggregation,
  tracking,
  historySize,
  messageTokens,
  aiSdkOverhead,
];
