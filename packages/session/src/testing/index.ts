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
  ticking,
} from "./own-loop.ts";
