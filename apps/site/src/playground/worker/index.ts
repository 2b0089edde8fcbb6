export { createEngineClient } from "./engine-client.ts";
export type { EngineClient } from "./engine-client.ts";
