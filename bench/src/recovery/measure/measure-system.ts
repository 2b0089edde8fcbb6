import { thinOut } from "../../corpus.ts";
import { LOOK_ALIKES, type RecoveryCases } from "../cases/recovery-cases.ts";
import type { SchemaKind, System } from "../systems/system.ts";
import { isIdeallyRepaired } from "./ideal-repair.ts";
import { type MalformedCount, measureMalformed } from "./malformed.ts";
import { type CaseResult, measureCase } from "./measure-case.ts";
import { type Figures, shareOf, summarize } from "./summarize.ts";

const MALFORMED_CALLS = 60;

/** What one system did with all cases. */
export interface SystemResult {
  readonly system: string;
  readonly schema: SchemaKind;
  readonly packages: readonly string[];
  readonly figures: Figures;
  /** The same for each source of cases alone. */
  readonly bySource: Readonly<Record<string, Figures>>;
  /** Share of the cases that the corrector makes valid at once with messages that say all there is to say. */
  readonly idealRepaired: number;
  readonly malformed: readonly MalformedCount[];
}

/** Measures one system; for zod tools, only on the cases that zod agrees about. */
export async function measureSystem(
  system: System,
  { spoilt, valid }: RecoveryCases,
): Promise<SystemResult> {
  const cases: CaseResult[] = [];
  for (const call of spoilt.filter(({ zodAgrees }) => zodAgrees || system.schema !== "zod")) {
    cases.push(await measureCase(call, system));
    await system.close?.();
  }
  const sources = [...new Set(cases.map((one) => one.spoilt.source))];
  const ofSource = (source: string): Figures =>
    summarize(cases.filter((one) => one.spoilt.source === source));
  const { nearMisses, hintsRight, hintsWrong } = summarize(cases);
  // Look-alikes exist to mislead did-you-means: they count for nothing else.
  const realistic = cases.filter((one) => one.spoilt.source !== LOOK_ALIKES);
  const { name, schema, packages } = system;
  return {
    system: name,
    schema,
    packages,
    figures: { ...summarize(realistic), nearMisses, hintsRight, hintsWrong },
    bySource: Object.fromEntries(sources.map((source) => [source, ofSource(source)])),
    idealRepaired: shareOf(realistic, (one) => isIdeallyRepaired(one.spoilt)),
    malformed: system.readsText
      ? await measureMalformed(thinOut(valid, MALFORMED_CALLS), system)
      : [],
  };
}
