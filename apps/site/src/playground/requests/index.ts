export { answerAll } from "./answer-all.ts";
export { type Asker, askThrough } from "./asker.ts";
export { lazyWorker, WorkerFailedError } from "./lazy-worker.ts";
export type { StartedWorker } from "./lazy-worker.ts";
