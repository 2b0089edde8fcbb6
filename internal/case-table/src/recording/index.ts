// Records what a case makes visible, for `pnpm snapshot:behaviour`. Other processes import it too, so nothing of vitest may be loaded here.
export { FOLDER_VARIABLE, recordCase } from "./record-case.ts";
export {
  currentRecorder,
  type Line,
  type Recorder,
  startRecorder,
  watched,
  watchedOptions,
} from "./recorder.ts";
