// One worker serves all tools. It runs none of their code: that of a tool in zod runs in a sandbox, behind a port.
import { type Replay, replay } from "../engine/index.ts";
import { answerAll } from "../requests/index.ts";
import { type PlaygroundState, zodCodeOf } from "../state/index.ts";
import { type RemoteTool, remoteTool } from "./remote-tool.ts";

let tool: RemoteTool | undefined;

self.addEventListener("message", ({ ports: [port] }) => {
  if (port === undefined) return;
  // The page did not ask for it either, so it ends this worker, and the sandbox with it.
  tool = remoteTool(port, () => self.postMessage("unasked"));
});

answerAll(self, async (state: PlaygroundState, begin): Promise<Replay> => {
  const code = zodCodeOf(state.tool);
  if (code !== undefined && tool !== undefined) return replayWith(tool, code, state, begin);
  begin();
  return replay(state);
});

async function replayWith(
  { define }: RemoteTool,
  code: string,
  state: PlaygroundState,
  begin: () => void,
): Promise<Replay> {
  const defined = await define(code, begin);
  if ("fault" in defined)
    return { faults: [{ place: "Tool", severity: "error", message: defined.fault }], turns: [] };
  return replay(state, defined.validator, defined.name);
}
