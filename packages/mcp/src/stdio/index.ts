export { passSignals, runStdio } from "./run-stdio.ts";
