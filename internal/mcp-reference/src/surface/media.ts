import type { Part } from "./tool.ts";

/** A picture of one pixel, in base64. */
export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A picture as part of a result. */
export const PICTURE: Part = { type: "image", data: PNG, mimeType: "image/png" };

/** A sound of no samples: only the header of the format. */
export const SOUND: Part = {
  type: "audio",
  data: "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=",
  mimeType: "audio/wav",
};

/** A document embedded in a result. */
export function document(uri: string, mimeType = "text/plain"): Part {
  const words =
    mimeType === "application/json" ? '{"carried":true}' : "A document that is carried along";
  return { type: "resource", resource: { uri, mimeType, text: words } };
}
