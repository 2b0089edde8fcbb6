import type { CorpusCall } from "../../corpus.ts";

/** What a system may do with a text: answer it, run it as it was meant, or only answer it. */
export interface MalformedText {
  readonly kind: string;
  readonly text: string;
  /** What the model meant, where that is beyond doubt; a cut or doubled text must be answered. */
  readonly meant?: unknown;
}

/** Spoils the text of a valid call in the ways in which models do it. */
export function malformedTexts({ args, text }: CorpusCall): readonly MalformedText[] {
  const pretty = JSON.stringify(args, null, 2);
  const lastText = text.lastIndexOf('"', text.length - 3);
  const texts: readonly (MalformedText | undefined)[] = [
    { kind: "fence", text: `\`\`\`json\n${pretty}\n\`\`\``, meant: args },
    {
      kind: "prose around",
      text: `Here are the arguments: ${text} I hope this helps.`,
      meant: args,
    },
    { kind: "trailing comma", text: `${text.slice(0, -1)},}`, meant: args },
    text.includes("'") || text.includes("\\")
      ? undefined
      : { kind: "single quotes", text: text.replaceAll('"', "'"), meant: args },
    /:(?:true|false|null)\b/.test(text)
      ? {
          kind: "Python literals",
          text: text
            .replaceAll(/:true\b/g, ": True")
            .replaceAll(/:false\b/g, ": False")
            .replaceAll(/:null\b/g, ": None"),
          meant: args,
        }
      : undefined,
    text.includes(" ") && !text.includes("\\")
      ? {
          kind: "raw line break",
          text: text.replace(/(?<=\w) (?=\w)/, "\n"),
          meant: JSON.parse(text.replace(/(?<=\w) (?=\w)/, String.raw`\n`)) as unknown,
        }
      : undefined,
    { kind: "encoded twice", text: JSON.stringify(text), meant: args },
    { kind: "two objects", text: `${text}${text}` },
    { kind: "last brace cut", text: text.slice(0, -1) },
    { kind: "cut in a value", text: text.slice(0, Math.max(2, lastText - 1)) },
    { kind: "cut in half", text: text.slice(0, Math.max(1, Math.floor(text.length / 2))) },
    { kind: "empty text", text: "", meant: {} },
    { kind: "a list", text: `[${text}]` },
    { kind: "no object", text: '"yes"' },
  ];
  return texts.flatMap((one) => (one === undefined || one.text === text ? [] : [one]));
}
