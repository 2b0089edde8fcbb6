import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Where text goes: how wide it is and whether it takes colours. */
export interface Page {
  readonly width: number;
  paint(style: Style, text: string): string;
}

/** Describes a stream: colours only on a terminal, and only where NO_COLOR does not forbid them. */
export function pageFor(stream: NodeJS.WriteStream): Page {
  const coloured = stream.isTTY && (process.env["NO_COLOR"] ?? "") === "";
  return {
    width: Math.max(60, Math.min(100, stream.isTTY ? stream.columns : 100)),
    paint: (style, text) => (coloured ? styleText(style, text, { validateStream: false }) : text),
  };
}
