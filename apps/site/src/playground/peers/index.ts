export type { PeerAnswer, PeerRequest } from "./peer-answer.ts";
export { createPeersClient } from "./peers-client.ts";
