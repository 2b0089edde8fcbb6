import { JSONRepairError, jsonrepair } from "jsonrepair";

/** jsonrepair takes quadratic time. */
const MAX_REPAIRED = 32_768;

/** Reads arguments as the model meant them: as JSON, or as what remains if broken JSON is repaired. */
export function readArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (text.trim() === "") return {};
    return text.length > MAX_REPAIRED
      ? undefined
      : repair(text.slice(Math.max(0, text.indexOf("{"))));
  }
}

function repair(text: string): unknown {
  try {
    return readFirst(text, jsonrepair(text));
  } catch (thrown) {
    if (!(thrown instanceof JSONRepairError)) throw thrown;
    // What follows the first object, such as a second one.
    const first = text.slice(0, thrown.position);
    return readFirst(first, jsonrepair(first));
  }
}

/** Objects one after another are repaired to a list of them. */
function readFirst(text: string, json: string): unknown {
  const read: unknown = JSON.parse(json);
  return Array.isArray(read) && text.startsWith("{") ? read[0] : read;
}
