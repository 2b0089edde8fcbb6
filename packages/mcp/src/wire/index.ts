// JSON-RPC on the wire: reading messages, splitting streams, requests of the gate's own. It knows no contract.
export { answeredId } from "./answered-id.ts";
export { isCrowded, MOST_NAMES } from "./crowded.ts";
export {
  createEventSplitter,
  createLineSplitter,
  isRecord,
  type Message,
  messageInEvent,
  parseMessage,
  type Piece,
  withMessage,
} from "@toolcontract/mcp-client/wire";
export { isHandled, mayMatterFromClient, mayMatterFromServer } from "./handled-messages.ts";
export {
  fingerprint,
  holdsExactNumbers,
  holdsFiniteNumbers,
  metaOf,
  readRequestId,
  readResponse,
  type RequestId,
  type ServerResponse,
  sizeWithin,
  traceIdOf,
} from "./message.ts";
export { canElicit, createElicitation, type Elicitation, mayAsk } from "./elicitation.ts";
export { argumentsText, exactMessage } from "./sent-text.ts";
export { createDataReader } from "./event-data.ts";
export {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
} from "./json-rpc-errors.ts";
export { createListReader, type ListReader } from "./list-reader.ts";
export { createOutline, type Outline } from "./outline.ts";
export { memberOf, keysOfPointer } from "./pointer.ts";
export { holdsSentNumbers } from "./rounded.ts";
export { type Problem, readMessage, tooLarge } from "./read-message.ts";
export {
  createOwnRequests,
  errorOf,
  MAX_LIST_BYTES,
  type OwnMethod,
  ownRequest,
  type OwnRequests,
  tooLargeFor,
  UpstreamError,
} from "./own-requests.ts";
export { type LostCall, lostAnswer, lostByStatus, outcomeOfLost } from "./lost-call.ts";
