export {
  type Piece,
  createEventSplitter,
  createLineSplitter,
  messageOf,
  withMessage,
} from "./framing.ts";
export { isHandled, mayMatterFromClient, mayMatterFromServer } from "./handled-messages.ts";
export {
  type Message,
  type RequestId,
  type ServerResponse,
  fingerprint,
  holdsExactNumbers,
  isRecord,
  parseMessage,
  readRequestId,
  readResponse,
} from "./message.ts";
export { type OwnRequests, createOwnRequests, listRequest, serverAnswer } from "./own-requests.ts";
