export { type Recording, type SpanRecord, startRecording } from "./start-recording.ts";
export { renderTrace } from "./render-trace.ts";
