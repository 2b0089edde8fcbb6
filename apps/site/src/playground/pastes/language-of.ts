import type { ToolText } from "../state/index.ts";

const CODE =
  /^\s*(?:(?:import|export|const|let|var|type|interface|async|function)\b|\/\/|\/\*|[zv]\s*\.\s*\w+\(|tool\()/;
const JSON_TEXT = /^\s*(?:\{\s*"|\[\s*(?:\{\s*"|\]))/;

/** The language of a tool's text if its beginning says so, and else the one that was chosen. */
export function languageOf(text: string, chosen: ToolText["language"]): ToolText["language"] {
  if (CODE.test(text)) return "zod";
  return JSON_TEXT.test(text) ? "json" : chosen;
}
