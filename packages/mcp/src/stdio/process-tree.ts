import { type ChildProcess, spawn } from "node:child_process";

/** A process and its descendants, addressed together: launchers such as npx pass no signals on. */
export interface ProcessTree {
  /** Sends a signal to all of them; false where none is left. */
  readonly signal: (name: NodeJS.Signals) => boolean;
  /** Whether any of them is still there. */
  readonly isAlive: () => boolean;
}

/** Addresses a child that was spawned detached, so that it leads a process group (on Windows: the child itself). */
export function processTree(child: ChildProcess): ProcessTree {
  return process.platform === "win32" ? windowsTree(child) : processGroup(child);
}

function processGroup({ pid }: ChildProcess): ProcessTree {
  const send = (name: NodeJS.Signals | 0): boolean => {
    if (pid === undefined) return false;
    try {
      return process.kill(-pid, name);
    } catch {
      return false;
    }
  };
  return { signal: send, isAlive: () => send(0) };
}

/** Windows knows no signals: only the forced end reaches the descendants. */
function windowsTree(child: ChildProcess): ProcessTree {
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  return {
    isAlive,
    signal(name) {
      if (!isAlive() || child.pid === undefined) return false;
      if (name !== "SIGKILL") return child.kill(name);
      spawn("taskkill", ["/pid", String(child.pid), "/t", "/f"], { stdio: "ignore" }).on(
        "error",
        () => child.kill(),
      );
      return true;
    },
  };
}
