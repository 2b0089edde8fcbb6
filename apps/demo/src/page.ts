import { styleText } from "node:util";

const WIDEST = 100;

type Style = Parameters<typeof styleText>[0];

/** Where text is printed: its width, and whether it supports colours. */
export interface Page {
  readonly width: number;
  paint(style: Style, text: string): string;
}

/** Describes a stream: colours only on a terminal, and only if NO_COLOR is not set. */
export function pageFor(stream: NodeJS.WriteStream): Page {
  const coloured = stream.isTTY && (process.env["NO_COLOR"] ?? "") === "";
  return {
    // Zero columns is a terminal that does not know its size.
    width: Math.max(60, Math.min(WIDEST, stream.columns || WIDEST)),
    paint: (style, text) => (coloured ? styleText(style, text, { validateStream: false }) : text),
  };
}
