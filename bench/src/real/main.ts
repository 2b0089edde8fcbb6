// `pnpm bench:real [folder or file] [--list <figure>] [--out <folder>]`: real calls of real models, and what the contract
// answers, beside what people have without it.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { originOf } from "../origin.ts";
import { measureAll } from "./measure-all.ts";
import { measurePeers, PEERS } from "./measure-peers.ts";
import { peerTable, type RealResults } from "./peer-table.ts";
import { readRealCalls } from "./real-calls.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: "string" }, out: { type: "string" } },
});
const root = resolve(import.meta.dirname, "../../..");
const calls = readRealCalls(positionals[0] ?? resolve(root, "../shared/data/real-calls"));
const figures = await measureAll(calls);
const { measured, nearNames, unhintedNames, doubtful } = figures;

const faults = measured.flatMap(({ call }) => call.faults ?? []);
const unnamed = measured.flatMap((one) => one.unnamed);
const answered = measured.flatMap((one) => one.answered);
const accepted = answered.filter((one) => one.accepted);
const kept = measured.flatMap(({ keptBy }) => keptBy);
const hints = sum(measured.map((one) => one.hints));
const validWithin = (rounds: number): number =>
  measured.filter(({ validAfter = Infinity }) => validAfter <= rounds).length;
const tokens = measured.map((one) => one.tokens).toSorted((a, b) => a - b);

const rows: readonly (readonly [string, string])[] = [
  ["distinct calls that break their schema", String(measured.length)],
  ["faults named", share(faults.length - unnamed.length, faults.length)],
  ["hints that keep their fault", `${kept.length} of ${hints}`],
  ["hinted fields with an accepted answer", share(accepted.length, answered.length)],
  [
    "valid by hints alone",
    share(measured.filter((one) => one.validByHints).length, measured.length),
  ],
  ["valid after one literal round", share(validWithin(1), measured.length)],
  ["valid after three", share(validWithin(3), measured.length)],
  [
    "tokens: mean, median, 95 %, most",
    [sum(tokens) / tokens.length, at(0.5), at(0.95), at(1)].map((n) => n.toFixed(1)).join(", "),
  ],
  ["malformed calls that ran", share(figures.repaired, figures.malformed)],
  ["of these with a doubtful repair", String(doubtful.length)],
  ["near names of tools with the right hint", share(nearNames - unhintedNames.length, nearNames)],
  ["ran although ajv refuses them", String(figures.ranWrong.length)],
  ["of schemas that no value can pass, ran as listed", String(figures.ranAsMeant.length)],
];
const width = Math.max(...rows.map(([name]) => name.length));
for (const [name, value] of rows) console.log(`${name.padEnd(width)}  ${value}`);

const lists: Readonly<Record<string, () => readonly (readonly unknown[])[]>> = {
  unnamed: () =>
    measured.filter((one) => one.unnamed.length > 0).map((one) => [one.unnamed, one.text]),
  kept: () =>
    measured.flatMap((one) => one.keptBy.map((error) => [one.call.arguments, error, one.text])),
  refused: () =>
    measured.flatMap((one) =>
      one.answered
        .filter((each) => !each.accepted)
        .map(({ field }) => [field, one.call.arguments, one.call.answers, one.text]),
    ),
  never: () =>
    measured
      .filter(({ validAfter }) => validAfter === undefined)
      .map((one) => [one.call.arguments, one.text, JSON.stringify(one.call.tool.inputSchema)]),
  unhinted: () =>
    measured
      .filter(({ validByHints }) => !validByHints)
      .map((one) => [one.call.arguments, one.text]),
  names: () => unhintedNames.map(({ called, offered }) => [called.slice(0, 80), offered]),
  doubtful: () => doubtful.map(({ arguments: text }) => [text]),
  wrong: () => figures.ranWrong.map((call) => [call.arguments, JSON.stringify(call.tool)]),
  meant: () => figures.ranAsMeant.map((call) => [call.arguments, JSON.stringify(call.tool)]),
  long: () =>
    measured
      .toSorted((a, b) => b.tokens - a.tokens)
      .slice(0, 40)
      .map((one) => [one.tokens, one.text]),
  texts: () => measured.map((one) => [one.call.arguments, one.text]),
};
if (values.list === undefined) {
  const peers = await measurePeers(calls);
  console.log(`\n${peerTable(peers)}`);
  if (values.out !== undefined) {
    const origin = originOf(PEERS.flatMap(({ packages }) => packages));
    const results: RealResults = { origin, ...peers };
    mkdirSync(values.out, { recursive: true });
    writeFileSync(join(values.out, "real.json"), `${JSON.stringify(results, null, 2)}\n`);
  }
}
for (const parts of lists[values.list ?? ""]?.() ?? [])
  console.log(
    `\n${parts.map((part) => (typeof part === "string" ? part : JSON.stringify(part))).join("\n")}`,
  );

function share(part: number, whole: number): string {
  return `${part} of ${whole} (${whole === 0 ? "–" : ((100 * part) / whole).toFixed(1)} %)`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function at(part: number): number {
  return tokens[Math.min(tokens.length - 1, Math.floor(part * tokens.length))] ?? 0;
}
