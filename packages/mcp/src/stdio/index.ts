// The relay around a server that runs as a child process. It must not load the gate: that happens while the server starts.
export { onSignal, runStdio } from "./run-stdio.ts";
