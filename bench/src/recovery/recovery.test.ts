import { isWhole, oneInThree } from "@toolcontract/case-table/whole";
import { createContract } from "@toolcontract/core";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Corpus } from "../corpus.ts";
import { readMcpCorpus } from "../mcp-corpus.ts";
import { LOOK_ALIKES, type RecoveryCases, recoveryCases } from "./cases/recovery-cases.ts";
import { measureSystem } from "./measure/measure-system.ts";
import { brokenPromises } from "./report.ts";
import { allSystems } from "./systems/all-systems.ts";

const FEW = { calls: 0, perServerCall: 1, perMadeCall: isWhole ? 4 : 3 } as const;
const OURS = allSystems().filter(({ name }) => name.startsWith("Toolcontract"));
const TIMEOUT = 60_000;
let servers: Corpus;
let cases: RecoveryCases;

beforeAll(async () => {
  for (const level of ["warn", "error"] as const)
    vi.spyOn(console, level).mockReturnValue(undefined);
  servers = await readMcpCorpus();
  const some = { ...servers, calls: oneInThree(servers.calls) };
  const { spoilt } = recoveryCases(some, undefined, FEW);
  cases = { spoilt: spoilt.filter(({ source }) => source !== LOOK_ALIKES), valid: [] };
}, TIMEOUT);

test("the installed MCP servers list tools of which every one gets a valid call", () => {
  const contract = createContract({ logger: () => undefined });
  expect(new Set(servers.calls.map(({ tool }) => tool.name)).size).toBeGreaterThan(50);
  for (const { tool, text } of servers.calls) {
    expect(contract.check(tool, text)).toMatchObject({ status: "valid" });
  }
});

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
      const step = (system.name.includes("agent") ? 4 : 1) * (isWhole ? 1 : 2);
      const spoilt = cases.spoilt.filter((_, index) => index % step === 0);
      const result = await measureSystem(system, { ...cases, spoilt });
      expect(brokenPromises(result)).toEqual([]);
    },
    TIMEOUT,
  );
});
