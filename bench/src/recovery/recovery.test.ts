import { isWhole, oneInThree } from "@toolcontract/case-table/whole";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { readMcpCorpus } from "../mcp-corpus.ts";
import { LOOK_ALIKES, type RecoveryCases, recoveryCases } from "./cases/recovery-cases.ts";
import { measureSystem } from "./measure/measure-system.ts";
import { brokenPromises } from "./report.ts";
import { allSystems } from "./systems/all-systems.ts";

const FEW = { calls: 0, perServerCall: 1, perMadeCall: 4 } as const;
const OURS = allSystems().filter(({ name }) => name.startsWith("Toolcontract"));
const TIMEOUT = 60_000;
let cases: RecoveryCases;

beforeAll(async () => {
  for (const level of ["warn", "error"] as const)
    vi.spyOn(console, level).mockReturnValue(undefined);
  const { spoilt } = recoveryCases(await readMcpCorpus(), undefined, FEW);
  const realistic = spoilt.filter(({ source }) => source !== LOOK_ALIKES);
  cases = { spoilt: realistic.filter((_, index) => index % 2 === 0), valid: [] };
}, TIMEOUT);

test("the cases hold every kind of fault, several in a call, variants and secrets", () => {
  const faults = cases.spoilt.flatMap((call) => call.faults);
  const kinds = new Set(faults.map(({ kind }) => kind));
  expect([...kinds].toSorted()).toEqual(
    expect.arrayContaining(["missing", "misspelt", "type", "unknown"]),
  );
  expect(cases.spoilt.length).toBeGreaterThan(40);
  expect(faults.filter(({ inUnion }) => inUnion).length).toBeGreaterThan(5);
  expect(cases.spoilt.filter(({ secrets }) => secrets.length > 0).length).toBeGreaterThan(5);
});

describe.each(oneInThree(OURS))("$name, $schema tools", (system) => {
  test(
    "keeps what it promises: coverage, noise, secrets, valid calls",
    async () => {
      // A framework's agent takes ten times as long as the part that checks.
      const step = (system.name.includes("agent") ? 4 : 1) * (isWhole ? 1 : 3);
      const spoilt = cases.spoilt.filter((_, index) => index % step === 0);
      const result = await measureSystem(system, { ...cases, spoilt });
      expect(brokenPromises(result)).toEqual([]);
    },
    TIMEOUT,
  );
});
