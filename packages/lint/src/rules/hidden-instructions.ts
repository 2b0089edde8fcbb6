import { isRecord } from "@toolcontract/explain/adapter";
import { type LintRule, join } from "../shared/index.ts";

const MAX_STRINGS = 5_000;

/** What no description of a tool says in good faith, and what it is. */
const SIGNS: readonly (readonly [
  sign: { readonly test: (text: string) => boolean },
  what: string,
])[] = [
  [/[\u{E0000}-\u{E007F}]/u, "has invisible characters that only a model reads"],
  [/[\u202D\u202E]/, "has characters that change the order in which people see it"],
  [/[\u200B\u2060\uFEFF]{3,}/, "has a row of invisible characters"],
  [
    /\b(?:ignore|disregard|forget|override)\b(?:\s+\w+){0,3}\s+(?:previous|prior|earlier|preceding|above)\s+(?:\w+\s+)?(?:instructions?|prompts?|rules?|directions?|messages?)/i,
    "tells the model to ignore its instructions",
  ],
  [
    /\b(?:do not|don't|never|must not)\s+(?:tell|inform|notify|mention|reveal|disclose|alert|warn)\b[^.!?\n]{0,60}\buser\b/i,
    "tells the model to hide something from the user",
  ],
  [
    /\bwithout\s+(?:telling|informing|notifying|alerting)\s+(?:the\s+)?user\b/i,
    "tells the model to hide something from the user",
  ],
  [{ test: hasInstructionTag }, "has a tag that claims authority over the model"],
  [
    /\b(?:you must|must first|always|before (?:using|calling|you)|first,? read)\b[^\n]{0,160}(?:\.(?:ssh|aws|gnupg|cursor)\b|\bid_(?:rsa|ed25519)\b)/i,
    "sends the model to a file with keys",
  ],
  [{ test: hasComment }, "has a comment that people do not see"],
];
const TAGS = ["system", "secret", "hidden", "instruction", "instructions", "admin"];
const SPEAKS = /\b(?:you|must|ignore|always|never|do not|don't|user|assistant|instructions?)\b/i;

// A pattern with a gap would read the rest of the text for each beginning.
function hasInstructionTag(text: string): boolean {
  const lower = text.toLowerCase();
  if (lower.includes("<important>")) return true;
  return TAGS.some((name) => {
    const start = lower.indexOf(`<${name}>`);
    return start !== -1 && lower.includes(`</${name}>`, start);
  });
}

function hasComment(text: string): boolean {
  let start = text.indexOf("<!--");
  while (start !== -1) {
    const end = text.indexOf("-->", start + 4);
    if (end === -1) return false;
    if (SPEAKS.test(text.slice(start + 4, end))) return true;
    start = text.indexOf("<!--", end);
  }
  return false;
}
// Flags of England, Scotland and Wales are spelt with invisible characters.
const FLAGS = /\u{1F3F4}[\u{E0020}-\u{E007F}]+/gu;

/** Instructions to the model in the description of a tool: tool poisoning. */
export const hiddenInstructions: LintRule = {
  name: "hidden-instructions",
  severity: "error",
  about: "A description gives the model orders that its user neither gave nor sees.",
  fix: "leave the sentence out, and ask who wrote it",
  *check({ tool }) {
    for (const [pointer, text] of textsIn(tool.source)) {
      const shown = text.replaceAll(FLAGS, "");
      const sign = SIGNS.find(([one]) => one.test(shown));
      if (sign) yield { path: pointer, message: `The text ${sign[1]}` };
    }
  },
};

/** All strings of a value, with their JSON Pointers; keys too, at the pointer of their values. */
export function* textsIn(root: unknown): Generator<readonly [pointer: string, text: string]> {
  const pending: (readonly [string, unknown])[] = [["", root]];
  let count = 0;
  for (let next = pending.pop(); next && count < MAX_STRINGS; next = pending.pop()) {
    const [pointer, value] = next;
    count += 1;
    if (typeof value === "string") yield [pointer, value];
    if (!isRecord(value) && !Array.isArray(value)) continue;
    const members = Object.entries(value);
    for (const [key, member] of members.toReversed()) {
      if (isRecord(value) && key.length > 20) yield [join(pointer, key), key];
      pending.push([join(pointer, key), member]);
    }
  }
}
