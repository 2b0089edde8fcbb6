export {
  type LineKind,
  loadScenes,
  RECORD_COMMAND,
  type RecordedLine,
  type RecordedScene,
} from "./load-scenes.ts";
