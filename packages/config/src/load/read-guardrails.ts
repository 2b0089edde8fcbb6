import { dirname, resolve } from "node:path";
import type { ConfigFile } from "../files/index.ts";
import { GUARDRAILS_TREE, pointerOf } from "../format/index.ts";
import { type ConfigFault, type FaultInFile, START } from "./config-fault.ts";
import type { ConfigOrigin } from "./config-origin.ts";
import type { CedarConfig, GuardrailsConfig, RuleConfig } from "./guardrails-config.ts";
import { type PlacedPolicy, faultsOfPolicies, type Spot } from "./policy-faults.ts";
import type { ConfigTree } from "./read-tree.ts";
import { readText } from "./variables.ts";

/** One budget, effect, lock, rule or Cedar file that a file sets. */
export interface SetGuardrail {
  readonly section: keyof GuardrailsConfig;
  /** The lane, the tool, or the name of the rule or Cedar file. */
  readonly name: string;
  readonly value: unknown;
  readonly origin: ConfigOrigin;
  /** A rule or Cedar file, with the positions of its texts. */
  readonly policy?: PlacedPolicy;
}

/** What a file sets below `tools.guardrails`, and what is wrong with it besides its types. */
export interface GuardrailsReading {
  readonly values: readonly SetGuardrail[];
  readonly faults: readonly ConfigFault[];
}

type Members = Readonly<Record<string, unknown>>;
type List = PlacedPolicy["section"];

/** A rule or Cedar file as it is written. */
interface Written {
  readonly section: List;
  readonly pointer: string;
  readonly members: Members;
}

/**
 * Reads the guardrails of a file.
 *
 * @param isSound - Whether the schema accepts the value at a pointer.
 */
export function readGuardrails(
  file: ConfigFile,
  tree: ConfigTree,
  isSound: (pointer: string) => boolean,
): GuardrailsReading {
  const own = GUARDRAILS_TREE.reduce(
    (holder, key) => membersOf(holder[key]),
    membersOf(tree.value),
  );
  const spotAt = (path: string): Spot => {
    return { file: file.path, path, ...(tree.places.get(path)?.value ?? START) };
  };
  const setAt = ({ line, column }: Spot): ConfigOrigin => {
    return { layer: file.layer, file: file.path, line, column };
  };
  const entries = (["budgets", "effects", "locks"] as const).flatMap((section) =>
    Object.entries(membersOf(own[section])).map(([name, value]): SetGuardrail => {
      return { section, name, value, origin: setAt(spotAt(pointerTo(section, name))) };
    }),
  );
  const written = [...policiesIn("rules", own), ...policiesIn("cedar", own)].filter(({ pointer }) =>
    isSound(pointer),
  );
  const read = written.map((one) =>
    one.section === "rules" ? readRule(one, spotAt) : readCedar(one, spotAt),
  );
  const placed = read.flatMap((one) => ("value" in one ? [one] : []));
  const faults = [
    ...duplicates(written, spotAt),
    ...read.flatMap((one) => ("faults" in one ? one.faults : [])),
    ...faultsOfPolicies(placed),
  ];
  return {
    values: [
      ...entries,
      ...placed.map((policy) => {
        const { section, value, spot } = policy;
        return { section, name: value.name, value, origin: setAt(spot), policy };
      }),
    ],
    faults: faults.map((fault) => ({ layer: file.layer, ...fault })),
  };
}

type SpotAt = (pointer: string) => Spot;

function policiesIn(section: List, own: Members): readonly Written[] {
  const list = own[section];
  return (Array.isArray(list) ? list : []).map((item, index) => {
    return { section, pointer: pointerTo(section, String(index)), members: membersOf(item) };
  });
}

function nameOfPolicy({ section, members }: Written): string {
  const { name } = members;
  return typeof name === "string" ? name : section;
}

function readRule({ pointer, members }: Written, spotAt: SpotAt): PlacedPolicy {
  const { field_path: fieldPath, ...rest } = members;
  const rule = { ...rest, ...(fieldPath !== undefined && { fieldPath }) } as unknown;
  const expression = "allow" in members ? "allow" : "deny";
  return {
    section: "rules",
    // The schema accepts nothing else.
    value: rule as RuleConfig,
    spot: spotAt(pointer),
    texts: { expression: spotAt(`${pointer}/${expression}`), stage: spotAt(`${pointer}/stage`) },
  };
}

function readCedar(
  one: Written,
  spotAt: SpotAt,
): PlacedPolicy | { readonly faults: readonly FaultInFile[] } {
  const { pointer, members } = one;
  const texts: Record<string, Spot> = { stage: spotAt(`${pointer}/stage`) };
  const contents: Record<string, string> = {};
  const faults: FaultInFile[] = [];
  for (const part of ["policies", "schema"]) {
    const path = members[part];
    if (typeof path !== "string") continue;
    const spot = spotAt(`${pointer}/${part}`);
    const target = resolve(dirname(spot.file), path);
    const reading = readText(target);
    if ("problem" in reading) {
      const message = `The file of Cedar's ${part} can't be read: ${reading.problem}`;
      faults.push({ ...spot, code: "unreadable-file", message });
    } else {
      texts[part] = { ...START, file: target, path: "" };
      contents[part] = reading.text;
    }
  }
  if (faults.length > 0) return { faults };
  const path = texts["policies"]?.file ?? "";
  const value = {
    ...members,
    name: nameOfPolicy(one),
    path,
    ...contents,
  } as unknown as CedarConfig;
  return { section: "cedar", value, spot: spotAt(pointer), texts };
}

/** The guardrails of one contract must have different names. */
function duplicates(written: readonly Written[], spotAt: SpotAt): readonly FaultInFile[] {
  const first = new Map<string, number>();
  return written.flatMap((one): FaultInFile[] => {
    const { pointer, members } = one;
    const spot = spotAt("name" in members ? `${pointer}/name` : pointer);
    const name = nameOfPolicy(one);
    const line = first.get(name);
    if (line === undefined) {
      first.set(name, spot.line);
      return [];
    }
    const message = "Another guardrail of this file has this name";
    const hint = `rename one of them; the other one is on line ${line}`;
    return [{ ...spot, code: "duplicate-name", message, hint }];
  });
}

function pointerTo(...keys: readonly string[]): string {
  return pointerOf([...GUARDRAILS_TREE, ...keys]);
}

function membersOf(value: unknown): Members {
  const isMembers = typeof value === "object" && value !== null && !Array.isArray(value);
  return isMembers ? (value as Members) : {};
}
