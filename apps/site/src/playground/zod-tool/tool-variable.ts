/** The global variable that holds the tool in a worker for zod. */
export const TOOL = "__tool";

/** The tool that the code of this worker has defined; undefined in a worker without such code. */
export function definedTool(): unknown {
  return (globalThis as unknown as Record<string, unknown>)[TOOL];
}
