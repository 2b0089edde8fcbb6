import { type FilesystemServer, startFilesystemServer } from "./filesystem-server.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

/** What scenarios run on: two equal folders, each with its own server. */
export interface Stage {
  readonly workspace: Workspace;
  readonly guarded: FilesystemServer;
  readonly plain: FilesystemServer;
}

/** Lends a stage to a task; the servers are stopped whatever the task does. */
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
