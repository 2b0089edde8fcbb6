// Draws the first scene of the demo for the README: `pnpm demo:record-svg`. Its lines are the demo's own; it pauses for a reader
// where the demo does not.
import { writeFileSync } from "node:fs";
import { runProcess } from "../test-packages/run-process.ts";
import { terminalSvg, type TimedLine } from "./terminal-svg.ts";

const SCENE = "ai-sdk-card-number";
const COMMAND = `npx -y pnpm@12 demo --scenario ${SCENE}`;
const TITLE =
  "One call with three faults, a card number and a token: what a model reads without and with Toolcontract, and its next call";

/** What each kind of line is drawn as, and how long a reader looks at it, in milliseconds. */
const KINDS: Readonly<Record<string, readonly [TimedLine["kind"], number]>> = {
  model: ["command", 1_200],
  without: ["bad", 1_800],
  contract: ["result", 4_000],
  ran: ["note", 900],
};

const args = ["apps/demo/src/main.ts", "--scenario", SCENE];
const printed = await runProcess({ command: process.execPath, args, cwd: "." });
const [, whole = ""] =
  /^── 1 of 1 .*\n(?:.+\n)*\n(Turn 1\n(?:.|\n)*?)\n\nTurn 3/m.exec(printed) ?? [];
// No scanner is to report the token of the scene in the file.
const played = whole.replaceAll(/(ghp_.{4})\w+/g, "$1…");
if (played === "") throw new Error(`The demo printed no scene:\n${printed}`);

const lines: TimedLine[] = [{ at: 0, text: `$ ${COMMAND}`, kind: "command" }];
let kind: TimedLine["kind"] = "note";
let [at, pause] = [700, 0];
for (const text of played.split("\n")) {
  const [, label = ""] = /^ {2}(\w+) /.exec(text) ?? [];
  const found = KINDS[label];
  if (found !== undefined || text.startsWith("Turn")) {
    at += pause;
    [kind, pause] = found ?? ["note", 300];
  }
  lines.push({ at, text, kind });
}
writeFileSync("apps/demo/recording.svg", terminalSvg(lines, TITLE));
