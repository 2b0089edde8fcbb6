import { startFilesystemServer } from "./filesystem-server.ts";
import type { McpServer } from "./mcp-server.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

/** What scenarios run on: two folders with the same files, each with its own server. */
export interface Stage {
  readonly workspace: Workspace;
  readonly guarded: McpServer;
  readonly plain: McpServer;
}

/** Runs a task with a stage, and always stops the servers afterwards. */
export async function withStage<T>(task: (stage: Stage) => Promise<T>): Promise<T> {
  const workspace = createWorkspace();
  const starting = [workspace.guarded, workspace.plain].map(({ path }) =>
    startFilesystemServer(path),
  );
  try {
    const [guarded, plain] = await Promise.all(starting);
    if (!guarded || !plain) throw new Error("A server is missing.");
    return await task({ workspace, guarded, plain });
  } finally {
    for (const server of await Promise.allSettled(starting)) {
      if (server.status === "fulfilled") await server.value.close();
    }
  }
}
