import { childOf } from "../pointer.ts";
import type { Complaint } from "./complaint.ts";

/** The texts that complain of a key at the object around it. */
const OF_KEYS: readonly RegExp[] = [
  /must have required property '(.+?)'/,
  /is missing the required field '(.+?)'/,
  /unexpected property, (.+?), which is not/,
  /[Uu]nrecognized keys?(?: in object)?: (.+)$/,
];

/** Moves complaints that name keys to the places of these keys, one for each. */
export function placeAtKeys(complaint: Complaint): readonly Complaint[] {
  for (const pattern of OF_KEYS) {
    const named = pattern.exec(complaint.words)?.[1];
    if (named === undefined) continue;
    const keys = pattern === OF_KEYS[3] ? quotedIn(named) : [named];
    return keys.map((key) => ({ ...complaint, pointer: childOf(complaint.pointer, key) }));
  }
  return [complaint];
}

function quotedIn(text: string): readonly string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, key = ""]) => key);
}
