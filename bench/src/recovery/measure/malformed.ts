import type { CorpusCall } from "../../corpus.ts";
import type { MakeCall, System } from "../systems/system.ts";

interface Count {
  calls: number;
  /** The model gets an answer. */
  answered: number;
  /** The tool ran with what the model meant. */
  ranRight: number;
  /** The tool ran with something else, or with something that may not have been meant. */
  ranWrong: number;
  /** The model gets no answer, or the run ends. */
  silent: number;
}

/** What a system did with one kind of malformed JSON. */
export type MalformedCount = Readonly<Count> & { readonly kind: string };

/** Sends the malformed JSON of valid calls to a system that takes arguments as a string. */
export async function measureMalformed(
  calls: readonly CorpusCall[],
  system: System,
): Promise<readonly MalformedCount[]> {
  const counts = new Map<string, Count>();
  for (const call of calls) {
    const makeCall = await system.offer(call.tool);
    for (const { kind, text, meant } of malformedTexts(call)) {
      const count = counts.get(kind) ?? {
        calls: 0,
        answered: 0,
        ranRight: 0,
        ranWrong: 0,
        silent: 0,
      };
      counts.set(kind, count);
      const outcome = await makeCall(text);
      count.calls += 1;
      if (outcome.status !== "ran") count[outcome.status] += 1;
      else if (await isMeant(outcome.args, meant, makeCall)) count.ranRight += 1;
      else count.ranWrong += 1;
    }
  }
  return [...counts].map(([kind, count]) => ({ kind, ...count }));
}

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
function malformedTexts({ args, text }: CorpusCall): readonly MalformedText[] {
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
