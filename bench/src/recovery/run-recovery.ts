import { thinOut } from "../corpus.ts";
import { LOOK_ALIKES } from "./cases/look-alikes.ts";
import type { SpoiltCall } from "./cases/spoilt-call.ts";
import { idealRepairs } from "./measure/ideal-repair.ts";
import { type CaseResult, measureCase } from "./measure/measure-case.ts";
import { type MalformedCount, measureMalformed } from "./measure/measure-malformed.ts";
import { type Figures, summarize } from "./measure/summarize.ts";
import type { RecoveryCases } from "./recovery-cases.ts";
import type { SchemaKind, System } from "./systems/system.ts";

const MALFORMED_CALLS = 60;

/** What one system made of all cases. */
export interface SystemResult {
  readonly system: string;
  readonly schema: SchemaKind;
  readonly packages: readonly string[];
  readonly figures: Figures;
  /** The same, of the cases of one source each. */
  readonly bySource: Readonly<Record<string, Figures>>;
  /** Share of the same cases that the corrector makes valid at once with texts that say all there is to say. */
  readonly idealRepaired: number;
  readonly malformed: readonly MalformedCount[];
}

/** A system's figures and the single cases behind them. */
export interface Measured {
  readonly result: SystemResult;
  readonly cases: readonly CaseResult[];
}

/** Measures one system; the cases on whose faults zod disagrees are left out for its zod form. */
export async function measureSystem(
  system: System,
  { spoilt, valid }: RecoveryCases,
): Promise<Measured> {
  const cases: CaseResult[] = [];
  for (const call of spoilt.filter(({ zodAgrees }) => zodAgrees || system.schema !== "zod")) {
    cases.push(await measureCase(call, system));
    await system.close?.();
  }
  const few = thinOut(valid, MALFORMED_CALLS);
  const malformed = system.readsText ? await measureMalformed(few, system) : [];
  const { name, schema, packages } = system;
  const sources = [...new Set(cases.map((one) => one.spoilt.source))];
  const bySource = Object.fromEntries(
    sources.map((source) => [
      source,
      summarize(cases.filter((one) => one.spoilt.source === source)),
    ]),
  );
  const { nearMisses, hintsRight, hintsWrong } = summarize(cases);
  const realistic = cases.filter((one) => one.spoilt.source !== LOOK_ALIKES);
  // Look-alikes are made to mislead a did-you-mean; for everything else they are no realistic mix.
  const figures = { ...summarize(realistic), nearMisses, hintsRight, hintsWrong };
  const idealRepaired = shareOf(
    realistic.map((one) => one.spoilt),
    idealRepairs,
  );
  return {
    result: { system: name, schema, packages, figures, bySource, idealRepaired, malformed },
    cases,
  };
}

function shareOf(calls: readonly SpoiltCall[], fits: (call: SpoiltCall) => boolean): number {
  return calls.length === 0 ? 0 : calls.filter(fits).length / calls.length;
}
