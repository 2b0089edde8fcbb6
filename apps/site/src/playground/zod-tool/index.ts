export { startZodWorker } from "./start-zod-worker.ts";
