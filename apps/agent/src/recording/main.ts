// Records a run of the command against a provider on a hard day: `npx -y pnpm@12 --filter @toolcontract/agent record`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { serveWire } from "@toolcontract/wire";
import { configurationOf, DYING_SERVER, hardDay } from "./hard-day.ts";
import { terminalSvg, type TimedLine } from "../../../../scripts/recording/terminal-svg.ts";

const TITLE =
  "toolcontract-agent, while a provider stalls, limits, cuts and breaks off, and an MCP server dies";
const PROMPT = "Summarise the notes of this week";

const folder = mkdtempSync(join(tmpdir(), "toolcontract-recording-"));
const model = await serveWire(hardDay());
try {
  mkdirSync(join(folder, ".agent"));
  writeFileSync(join(folder, "notes.cjs"), DYING_SERVER);
  const configuration = configurationOf(model.openaiUrl, "notes.cjs");
  writeFileSync(join(folder, ".agent/config.yml"), JSON.stringify(configuration));
  const program = fileURLToPath(new URL("../main.ts", import.meta.url));
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program, "--verbose", PROMPT], {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: TimedLine[] = [
    { at: 0, text: `$ toolcontract-agent --verbose "${PROMPT}"`, kind: "command" },
  ];
  for (const [stream, kind] of [
    [child.stderr, "note"],
    [child.stdout, "result"],
  ] as const) {
    createInterface({ input: stream }).on("line", (text) => {
      lines.push({ at: performance.now() - startedAt, text, kind });
    });
  }
  const [code] = (await once(child, "close")) as [number];
  const at = performance.now() - startedAt;
  lines.push({ at, text: `exit code ${code}, after ${Math.round(at / 1_000)} s`, kind: "command" });
  writeFileSync(new URL("../../recording.svg", import.meta.url), terminalSvg(lines, TITLE));
  process.stdout.write(`${lines.map(({ text }) => text).join("\n")}\n`);
} finally {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
}
