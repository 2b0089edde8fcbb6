import { resultMarker, type ResultMarker, type ToolResult } from "@toolcontract/core";
import { createRecentMap } from "@toolcontract/core/adapter";

const LIMIT = 1_000;

/** What this process still knows of calls that it decided on; a history alone is enough without it. */
export interface RecentCalls {
  /** Notes a rejection: the history replays malformed arguments as `{}`, and this tells repeated ones apart. */
  reject(result: ToolResult): void;
  /** The marker of a rejection whose text the history shows unchanged. */
  readonly markerOf: (toolCallId: string, content: string) => ResultMarker | undefined;
  /** Notes a call that was admitted with repaired arguments, so that it is not counted again when it runs. */
  admit(toolCallId: string): void;
  /** Tells whether the call was admitted already, and forgets it. */
  takeAdmitted(toolCallId: string): boolean;
}

/** Makes a bounded memory of calls. */
export function createRecentCalls(): RecentCalls {
  const rejected = createRecentMap<string, ToolResult>(LIMIT);
  const admitted = createRecentMap<string, true>(LIMIT);
  return {
    reject: (result) => rejected.set(result.toolCallId, result),
    markerOf(toolCallId, content) {
      const result = rejected.get(toolCallId);
      return result?.content === content ? resultMarker(result) : undefined;
    },
    admit: (toolCallId) => admitted.set(toolCallId, true),
    takeAdmitted: (toolCallId) => admitted.take(toolCallId) === true,
  };
}
