// Messages and their framing on the wire, for whoever starts no server: runtimes without processes load only this.
export {
  createEventSplitter,
  createLineSplitter,
  messageInEvent,
  type Piece,
  withMessage,
} from "./framing.ts";
export { isRecord, type Message, parseMessage } from "./message.ts";
