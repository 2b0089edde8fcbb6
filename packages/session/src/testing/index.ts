export {
  type Message,
  type Model,
  type Run,
  answered,
  ASK,
  CALL,
  characters,
  reply,
  runs,
  streamed,
} from "./own-loop.ts";
