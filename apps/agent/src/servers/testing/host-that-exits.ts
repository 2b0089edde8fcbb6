// A program that starts stubborn servers, says their ids and ends at once, as for a second Ctrl-C.
import { call, mcpProgram, program, start, textOf } from "./programs.ts";

const first = 'process.on("SIGTERM", () => undefined); setInterval(() => undefined, 1_000);';
const { servers } = await start({
  a: program(mcpProgram({ first })),
  b: program(mcpProgram({ first })),
});
const results = await Promise.all([call(servers, "a__pid"), call(servers, "b__pid")]);
process.stdout.write(results.map(textOf).join(" "), () => process.exit(130));
