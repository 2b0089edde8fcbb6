import type { ScriptedPart, ScriptedTurn } from "./scripted-model.ts";

/** The parts in which an answer is streamed; a word says how the stream ends, if not with the answer. */
export function partsOf(
  { breaks, chunk = Number.POSITIVE_INFINITY, model }: ScriptedTurn,
  content: readonly ScriptedPart[],
  end: object,
): readonly (object | "closes" | "stalls")[] {
  const parts = content.flatMap((part, index) => deltasOf(part, String(index), chunk));
  const start = [
    { type: "stream-start", warnings: [] },
    ...(model === undefined ? [] : [{ type: "response-metadata", modelId: model }]),
  ];
  if (breaks === "error") {
    return [...start, ...parts, { type: "error", error: new Error("the stream broke") }];
  }
  return [...start, ...parts, breaks ?? { type: "finish", ...end }];
}

function deltasOf(part: ScriptedPart, id: string, chunk: number): readonly object[] {
  const { type, text } = part;
  if (text === undefined) return [part];
  const size = Math.min(chunk, Math.max(1, text.length));
  const deltas = Array.from({ length: Math.ceil(text.length / size) }, (_, index) => ({
    type: `${type}-delta`,
    id,
    delta: text.slice(index * size, (index + 1) * size),
  }));
  return [{ type: `${type}-start`, id }, ...deltas, { type: `${type}-end`, id }];
}
