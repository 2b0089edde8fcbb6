import { GUARDRAILS_TREE, pointerOf } from "../format/index.ts";
import type { ConfigFault } from "./config-fault.ts";
import type { ConfigOrigin } from "./config-origin.ts";
import type { GuardrailsConfig } from "./guardrails-config.ts";
import { faultsOfPolicies } from "./policy-faults.ts";
import type { SetGuardrail } from "./read-guardrails.ts";
import type { LayerReading } from "./read-layer.ts";

type Section = keyof GuardrailsConfig;

const SECTIONS: readonly Section[] = ["budgets", "effects", "locks", "rules", "cedar"];

/** The guardrails of all layers, and where each was set. */
export interface MergedGuardrails {
  readonly guardrails: GuardrailsConfig;
  /** By JSON Pointer; rules and Cedar files by their name instead of their index. */
  readonly origins: readonly (readonly [pointer: string, origin: ConfigOrigin])[];
}

/** Merges entry by entry: each comes from the highest layer that sets it. */
export function mergeGuardrails(layers: readonly (readonly SetGuardrail[])[]): MergedGuardrails {
  const merged = highestOf(layers);
  const membersOf = (section: Section): readonly SetGuardrail[] =>
    merged.filter((one) => one.section === section);
  const set = SECTIONS.filter((section) => membersOf(section).length > 0);
  const guardrails = set.map((section) => {
    const members = membersOf(section);
    const isList = section === "rules" || section === "cedar";
    return [
      section,
      isList
        ? members.map(({ value }) => value)
        : Object.fromEntries(members.map(({ name, value }) => [name, value])),
    ];
  });
  return {
    guardrails: Object.fromEntries(guardrails) as GuardrailsConfig,
    origins: merged.map(({ section, name, origin }) => [
      pointerOf([...GUARDRAILS_TREE, section, name]),
      origin,
    ]),
  };
}

/** What is about the guardrails of a file, or about all of the file. */
const ABOUT_GUARDRAILS = /^(?:\/tools(?:\/guardrails(?:\/.*)?)?)?$/s;

/**
 * The policies that could not refuse anything at commit, by the effects that all layers declare. What may follow from another
 * fault is none.
 */
export function commitFaults(readings: readonly LayerReading[]): readonly ConfigFault[] {
  const found = readings.flatMap(({ faults }) => faults);
  if (found.some(({ path }) => ABOUT_GUARDRAILS.test(path))) return [];
  const layers = readings.map(({ guardrails }) => guardrails);
  const { effects = {} } = mergeGuardrails(layers).guardrails;
  return highestOf(layers).flatMap(({ policy, origin: { layer } }) => {
    if (policy?.value.stage !== "commit") return [];
    return faultsOfPolicies([policy], effects).map((fault) => ({ layer, ...fault }));
  });
}

function highestOf(layers: readonly (readonly SetGuardrail[])[]): readonly SetGuardrail[] {
  const entries = new Map<string, SetGuardrail>();
  for (const one of layers.flat()) {
    if (!entries.has(identityOfGuardrail(one))) entries.set(identityOfGuardrail(one), one);
  }
  return [...entries.values()];
}

/** Rules and Cedar files are guardrails of one contract, so they share their names. */
function identityOfGuardrail({ section, name }: SetGuardrail): string {
  const group = section === "cedar" ? "rules" : section;
  return pointerOf([group, name]);
}
