import { picturesLeftOut } from "../shared/index.ts";
import { listOf, memberOf } from "./member.ts";
import type { Answered } from "./turn.ts";

/** A picture of a tool's result. */
export interface WirePicture {
  mimeType: string;
  data: string;
}

/** The pictures of an MCP result that its content leaves out; none if the model is not to read what the tool returned. */
export function picturesOf({ result, output }: Answered): readonly WirePicture[] {
  const pictures = listOf(memberOf(output, "content")).flatMap((part) => {
    const data = memberOf(part, "data");
    const mimeType = memberOf(part, "mimeType");
    const isPicture = memberOf(part, "type") === "image";
    return isPicture && typeof data === "string" && typeof mimeType === "string"
      ? [{ mimeType, data }]
      : [];
  });
  const isShown = pictures.length > 0 && result.content.includes(picturesLeftOut(pictures.length));
  return isShown ? pictures : [];
}

/** The words of a result beside its pictures. */
export function wordsOf({ result }: Answered, pictures: readonly WirePicture[]): string {
  if (pictures.length === 0) return result.content;
  return result.content.replace(picturesLeftOut(pictures.length), "").trim();
}
