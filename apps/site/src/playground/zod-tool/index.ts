export { provideZod } from "./provide-zod.ts";
export { startZodWorker } from "./start-zod-worker.ts";
export { definedTool } from "./tool-variable.ts";
