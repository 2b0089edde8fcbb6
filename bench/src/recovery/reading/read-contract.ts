import type { Complaint, ReadText } from "./complaint.ts";

const HEAD = /^[•-] (.+?) \(VAL-\d{3}(?: \w+)?\): (.*)$/;
const ECHO =
  /^(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[[{].*?[\]}])(?: \([^)]*\))?; (?=expected |use |send |put |leave |rename )/;

/** The contract's own texts, in both styles; without what they say was sent. */
export const readContract: ReadText = (text) => {
  const complaints: Complaint[] = [];
  let open: { pointer: string; lines: string[] } | undefined;
  const close = (): void => {
    if (open) complaints.push({ pointer: open.pointer, words: open.lines.join("\n") });
    open = undefined;
  };
  for (const line of text.split("\n")) {
    const [, place, rest] = HEAD.exec(line) ?? [];
    if (place !== undefined && rest !== undefined) {
      close();
      const words = rest.replace(ECHO, "").replace(/; got .*?(?=; |$)/, "");
      open = {
        pointer: place === "(arguments)" ? "" : place,
        lines: [words.replace(/, got \w+$/, "")],
      };
    } else if (line.startsWith("  ") && open) {
      if (!line.startsWith("  Actual: ")) open.lines.push(line.trim());
    } else if (line !== "") close();
  }
  close();
  return complaints;
};
