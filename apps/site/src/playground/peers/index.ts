export { askPeers } from "./ask-peers.ts";
export type { PeerAnswer, PeerName, PeerRequest } from "./peer-answer.ts";
export { createPeersClient, type PeersClient } from "./peers-client.ts";
