export { adviceFor, fieldName } from "./advice.ts";
export { type LostCalls, lostCalls } from "./lost-calls.ts";
export { readLog } from "./read-log.ts";
