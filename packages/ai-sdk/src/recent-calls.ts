import { resultMarker, type ResultMarker, type ToolResult } from "@toolcontract/core";

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
  const rejected = new Map<string, ToolResult>();
  const admitted = new Map<string, true>();
  return {
    reject: (result) => remember(rejected, result.toolCallId, result),
    markerOf(toolCallId, content) {
      const result = rejected.get(toolCallId);
      return result?.content === content ? resultMarker(result) : undefined;
    },
    admit: (toolCallId) => remember(admitted, toolCallId, true),
    takeAdmitted: (toolCallId) => admitted.delete(toolCallId),
  };
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > LIMIT && oldest !== undefined) map.delete(oldest);
}
