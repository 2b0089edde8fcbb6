/** Ctrl-C, the end that a supervisor asks for, and a terminal that is closed. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** How a program ends that Ctrl-C ended. */
const INTERRUPTED = 130;

/**
 * The signal on which everything hangs that a run waits for. The first Ctrl-C aborts it, so that the run ends with what
 * there is, and so does an error that nobody catches; the second Ctrl-C ends the program at once. Children are killed when
 * the program exits, however it does.
 */
export function onInterrupt(process: Pick<NodeJS.Process, "on" | "exit">): AbortSignal {
  const controller = new AbortController();
  let isFirst = true;
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (!isFirst) process.exit(INTERRUPTED);
      isFirst = false;
      controller.abort(new Error(`received ${name}`));
    });
  }
  process.on("uncaughtException", (error) => controller.abort(error));
  return controller.signal;
}
