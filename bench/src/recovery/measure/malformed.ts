import type { CorpusCall } from "../../corpus.ts";
import type { MakeCall, System } from "../systems/system.ts";

/** What a system did with one kind of malformed JSON. */
export interface MalformedCount {
  readonly kind: string;
  readonly calls: number;
  /** The model gets an answer. */
  readonly answered: number;
  /** The tool ran with what the model meant. */
  readonly ranRight: number;
  /** The tool ran with something else, or with something that may not have been meant. */
  readonly ranWrong: number;
  /** The model gets no answer, or the run ends. */
  readonly silent: number;
}

/** Sends the malformed JSON of valid calls to a system that takes arguments as a string. */
export async function measureMalformed(
  calls: readonly CorpusCall[],
  system: System,
): Promise<readonly MalformedCount[]> {
  const counts = new Map<string, MalformedCount>();
  for (const call of calls) {
    const makeCall = await system.offer(call.tool);
    for (const { kind, text, meant } of malformedTexts(call)) {
      const outcome = await makeCall(text).catch(() => ({ status: "silent" }) as const);
      const before = counts.get(kind) ?? { kind, ...NONE };
      const isRight = outcome.status === "ran" && (await isMeant(outcome.args, meant, makeCall));
      counts.set(kind, {
        kind,
        calls: before.calls + 1,
        answered: before.answered + Number(outcome.status === "answered"),
        ranRight: before.ranRight + Number(isRight),
        ranWrong: before.ranWrong + Number(outcome.status === "ran" && !isRight),
        silent: before.silent + Number(outcome.status === "silent"),
      });
    }
  }
  return [...counts.values()];
}

const NONE = { calls: 0, answered: 0, ranRight: 0, ranWrong: 0, silent: 0 };

/** Compares with what the same host makes of well-formed JSON: a validator may add defaults. */
async function isMeant(args: unknown, meant: unknown, makeCall: MakeCall): Promise<boolean> {
  if (meant === undefined) return false;
  const wellFormed = await makeCall(JSON.stringify(meant));
  return wellFormed.status === "ran" && JSON.stringify(args) === JSON.stringify(wellFormed.args);
}

interface MalformedText {
  readonly kind: string;
  readonly text: string;
  /** What the model certainly meant; text that is cut or doubled must be answered. */
  readonly meant?: unknown;
}

/** Makes JSON malformed in the ways models do. */
export function malformedTexts({ args, text }: CorpusCall): readonly MalformedText[] {
  const lastQuote = text.lastIndexOf('"', text.length - 3);
  const hasEscapes = text.includes("\\");
  const python = text
    .replaceAll(/:true\b/g, ": True")
    .replaceAll(/:false\b/g, ": False")
    .replaceAll(/:null\b/g, ": None");
  const breakWith = (lineBreak: string): string => text.replace(/(?<=\w) (?=\w)/, lineBreak);
  const texts: readonly MalformedText[] = [
    { kind: "fence", text: `\`\`\`json\n${JSON.stringify(args, null, 2)}\n\`\`\``, meant: args },
    {
      kind: "prose around",
      text: `Here are the arguments: ${text} I hope this helps.`,
      meant: args,
    },
    { kind: "trailing comma", text: `${text.slice(0, -1)},}`, meant: args },
    ...(text.includes("'") || hasEscapes
      ? []
      : [{ kind: "single quotes", text: text.replaceAll('"', "'"), meant: args }]),
    { kind: "Python literals", text: python, meant: args },
    ...(hasEscapes
      ? []
      : [
          {
            kind: "raw line break",
            text: breakWith("\n"),
            meant: JSON.parse(breakWith(String.raw`\n`)) as unknown,
          },
        ]),
    { kind: "encoded twice", text: JSON.stringify(text), meant: args },
    { kind: "two objects", text: `${text}${text}` },
    { kind: "last brace cut", text: text.slice(0, -1) },
    { kind: "cut in a value", text: text.slice(0, Math.max(2, lastQuote - 1)) },
    { kind: "cut in half", text: text.slice(0, Math.max(1, Math.floor(text.length / 2))) },
    { kind: "empty text", text: "", meant: {} },
    { kind: "a list", text: `[${text}]` },
    { kind: "no object", text: '"yes"' },
  ];
  return texts.filter((one) => one.text !== text);
}
