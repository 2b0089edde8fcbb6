/** The signals that ask a process to end; hosts and terminals send them. */
const SIGNALS: readonly NodeJS.Signals[] =
  process.platform === "win32"
    ? ["SIGINT", "SIGTERM", "SIGBREAK"]
    : ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];

/** Hands our own signals to a listener instead of dying of them; returns the function that stops it. */
export function passSignals(listener: (name: NodeJS.Signals) => void): () => void {
  for (const name of SIGNALS) process.on(name, listener);
  return () => {
    for (const name of SIGNALS) process.removeListener(name, listener);
  };
}
