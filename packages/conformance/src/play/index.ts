export type { KitEnvironment } from "./environment.ts";
export { startKitServer } from "./kit-server.ts";
export { playScenario } from "./play-scenario.ts";
export { commandProgram, type Program } from "./program.ts";
