import { escapeMarkup } from "../scripts/escape-markup.ts";

/** The steps of a guarded call, in their order; a guardrail is asked at some, and a failure at some is undone. */
const STEPS: readonly { readonly text: string; readonly asks?: true; readonly undone?: true }[] = [
  { text: "parse" },
  { text: "schema and rules" },
  { text: "guardrails on the arguments", asks: true },
  { text: "the host's approval" },
  { text: "lock and begin", undone: true },
  { text: "guardrails on the state", asks: true, undone: true },
  { text: "the tool", undone: true },
  { text: "what came of it?", undone: true },
  { text: "commit guardrails", asks: true, undone: true },
  { text: "commit", undone: true },
  { text: "effects of onCommit" },
  { text: "output guardrails", asks: true },
  { text: "the result" },
];
const BESIDE = [
  "whatever fails here",
  "is undone: the state",
  "is dropped, and",
  "compensations run",
];

const WIDTH = 480;
const BOX = { left: 24, width: 236, height: 32 };
const STEP = 48;
const top = (index: number): number => 16 + STEP * index;

/** Draws the order of a guarded call, for `docs/guardrails.md`. */
export function callOrderSvg(): string {
  const height = top(STEPS.length);
  const first = STEPS.findIndex(({ undone }) => undone);
  const last = STEPS.findLastIndex(({ undone }) => undone);
  const [begin, end] = [top(first) - 8, top(last) + BOX.height + 8];
  const middle = BOX.left + BOX.width / 2;
  const steps = STEPS.flatMap(({ text, asks }, index) => {
    const y = top(index);
    const box = `<rect x="${BOX.left}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="6" fill="${asks ? "#dbe5f1" : "white"}" stroke="#4c78a8"/>`;
    const words = `<text x="${middle}" y="${y + 21}" text-anchor="middle">${escapeMarkup(text)}</text>`;
    const arrow = `<path d="M${middle} ${y - STEP + BOX.height}v${STEP - BOX.height - 2}m-4 -5l4 5l4 -5" fill="none" stroke="#4c78a8"/>`;
    return index === 0 ? [box, words] : [arrow, box, words];
  });
  const right = BOX.left + BOX.width + 36;
  const asked = STEPS.findIndex(({ asks }) => asks);
  const blue = `<text x="${right}" y="${top(asked) + 21}">blue: your guardrails</text>`;
  const beside = BESIDE.map(
    (text, line) =>
      `<text x="${right}" y="${(begin + end) / 2 - 26 + 20 * line}">${escapeMarkup(text)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="15">
<rect width="100%" height="100%" fill="white"/>
<rect x="8" y="${begin}" width="${BOX.width + 32}" height="${end - begin}" rx="8" fill="none" stroke="#f58518" stroke-dasharray="5 4"/>
${[...steps, blue, ...beside].join("\n")}
</svg>
`;
}
