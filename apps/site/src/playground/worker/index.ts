export { createEngineClient } from "./engine-client.ts";
