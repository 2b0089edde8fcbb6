import type { ToolDefinition } from "@toolcontract/core";

/** Between two tools, others have their turn: preparing takes a third of the time at most. */
const PAUSE_MS = 20;
/** A gate prepares no more than these, because compiled schemas take memory; the others are prepared by their first call. */
const MOST_PREPARED = 200;

/**
 * Creates what prepares tools for their first calls, one after the other, once they are listed: to compile a schema takes
 * milliseconds, for which that call, and everybody else's, would wait.
 */
export function createPreparation(
  prepare: (tool: ToolDefinition) => void,
): (tools: readonly ToolDefinition[]) => void {
  const seen = new WeakSet<ToolDefinition>();
  const waiting: ToolDefinition[] = [];
  let count = 0;
  let isRunning = false;

  function next(): void {
    const tool = waiting.shift();
    try {
      if (tool) prepare(tool);
    } catch {
      // What is wrong with a definition is reported when the tool is called.
    }
    isRunning = waiting.length > 0;
    if (isRunning) schedule();
  }

  /** A process that has nothing else to do ends. */
  function schedule(): void {
    const timer = setTimeout(next, PAUSE_MS);
    // Timers of other runtimes than Node are numbers.
    (timer as { readonly unref?: () => unknown }).unref?.();
  }

  return (tools) => {
    for (const tool of tools) {
      if (count >= MOST_PREPARED) break;
      if (seen.has(tool)) continue;
      seen.add(tool);
      waiting.push(tool);
      count += 1;
    }
    if (isRunning || waiting.length === 0) return;
    isRunning = true;
    schedule();
  };
}
