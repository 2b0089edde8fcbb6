import type { Origin } from "../origin.ts";
import type { PeerResults } from "./measure-peers.ts";

/** What `bench:real --out` writes. */
export interface RealResults extends PeerResults {
  readonly origin: Origin;
}

const HEADS = [
  "system",
  "invalid calls run",
  "of schemas that no value can pass",
  "faults located",
  "valid after 1 round",
  "after 3",
  "tokens mean",
  "median",
  "p95",
  "max",
  "malformed calls run as meant",
];

/** Writes the systems beside each other, as a table in Markdown. */
export function peerTable({ systems, invalid, answered, malformed }: PeerResults): string {
  const rows = systems.map(
    ({ system, ranInvalid, ranAsMeant, located, faults, validAfter, tokens, malformedRun }) => [
      system,
      `${ranInvalid} of ${invalid}`,
      `${ranAsMeant}`,
      percent(located, faults),
      ...validAfter.map((count) => percent(count, answered)),
      tokens.mean.toFixed(0),
      `${tokens.median}`,
      `${tokens.p95}`,
      `${tokens.max}`,
      `${malformedRun} of ${malformed}`,
    ],
  );
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(HEADS), line(HEADS.map(() => "---")), ...rows.map(line)].join("\n");
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
}
