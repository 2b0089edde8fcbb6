import { readFileSync } from "node:fs";
import { join } from "node:path";
import { publishedPackages } from "../published.ts";

const ROOT = join(import.meta.dirname, "../..");

/** What a page's packages are installed as. */
export interface Variant {
  readonly name: string;
  readonly packages: readonly string[];
}

/** What goes with the oldest version of a peer, because its newest wants a newer peer. */
const COMPANIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "@langchain/core@1.0.1": {
    "@langchain/anthropic": "1.0.0",
    "@langchain/langgraph": "1.0.7",
    "@langchain/langgraph-checkpoint": "1.0.0",
    "@langchain/openai": "1.0.0",
  },
};

/**
 * What a page installs: as it says, which is the newest of every peer, and the oldest of each that our packages accept.
 *
 * @param isWhole whether the oldest and the newest of every range in between are variants too
 */
export function variantsOf(packages: readonly string[], isWhole: boolean): readonly Variant[] {
  const ranges = peerRanges(packages);
  const newest = { name: "as it says", packages };
  const steps = Math.max(0, ...Object.values(ranges).map(({ length }) => length));
  const older = Array.from({ length: isWhole ? steps : Math.min(steps, 1) }, (_, step) => step);
  return [
    newest,
    ...older.flatMap((step) => {
      const oldest = at(packages, ranges, step, (low) => low);
      // The newest of the last range is what the page says.
      const within = step + 1 < steps ? [at(packages, ranges, step, (low) => `^${low}`)] : [];
      return isWhole ? [oldest, ...within] : [oldest];
    }),
  ];
}

/** The lowest version of each range that our packages among these accept of the others among these. */
export function peerRanges(
  packages: readonly string[],
): Readonly<Record<string, readonly string[]>> {
  const ranges: Record<string, readonly string[]> = {};
  for (const { folder, npmName } of publishedPackages()) {
    if (!packages.includes(npmName)) continue;
    const text = readFileSync(join(ROOT, folder, "package.json"), "utf8");
    const { peerDependencies = {} } = JSON.parse(text) as {
      readonly peerDependencies?: Readonly<Record<string, string>>;
    };
    for (const [peer, range] of Object.entries(peerDependencies)) {
      if (!packages.includes(peer) || peer.startsWith("@toolcontract/")) continue;
      ranges[peer] = range.split("||").map((part) => lowOf(part));
    }
  }
  return ranges;
}

function lowOf(range: string): string {
  const [, version] = /(\d+(?:\.\d+){0,2})/.exec(range) ?? [];
  if (version === undefined) throw new Error(`No lowest version in "${range}".`);
  return [...version.split("."), "0", "0"].slice(0, 3).join(".");
}

function at(
  packages: readonly string[],
  ranges: Readonly<Record<string, readonly string[]>>,
  step: number,
  wanted: (low: string) => string,
): Variant {
  const chosen = new Map(
    Object.entries(ranges).map(([peer, lows]) => [peer, wanted(lows[step] ?? lows.at(-1) ?? "")]),
  );
  const companions = [...chosen].flatMap(([peer, version]) =>
    Object.entries(COMPANIONS[`${peer}@${version}`] ?? {}),
  );
  for (const [name, version] of companions) chosen.set(name, version);
  const kept = packages.map((name) => (chosen.has(name) ? `${name}@${chosen.get(name)}` : name));
  const added = [...chosen].filter(([name]) => !packages.includes(name));
  return {
    name: [...chosen].map(([name, version]) => `${name}@${version}`).join(" "),
    packages: [...kept, ...added.map(([name, version]) => `${name}@${version}`)],
  };
}
