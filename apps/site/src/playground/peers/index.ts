export type { PeerAnswer, PeerName, PeerRequest } from "./peer-answer.ts";
export type { PeersClient } from "./peers-client.ts";
export { peersFor } from "./peers-for.ts";
