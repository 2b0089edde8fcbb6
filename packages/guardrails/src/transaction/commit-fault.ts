import type { AnyGuardrail } from "./read-verdict.ts";
import type { PolicyOptions } from "./policy.ts";

/** Why a commit guardrail cannot be kept. */
export interface CommitFault {
  /** What is wrong, to follow the guardrail's name. */
  readonly problem: string;
  /** What to change. */
  readonly fix: string;
}

/** What decides whether a call can be undone. */
type Declared = Pick<PolicyOptions, "effects">;

const MAX_NAMES = 5;
const MAX_LENGTH = 64;

/** What keeps a commit guardrail from refusing what these tools do: a call is undone only if its tool's effect allows it. */
export function commitFault(
  { tools }: Pick<AnyGuardrail, "tools">,
  names: readonly string[],
  { effects }: Declared,
): CommitFault | undefined {
  const isForAll = tools === undefined;
  const where = isForAll ? "runs at commit for every tool, and" : "runs at commit, and";
  const narrower = isForAll ? "name its `tools`, " : "";
  if (isForAll && Object.keys(effects).length === 0) {
    return {
      problem: `${where} no effect is declared, so nothing could be undone`,
      fix: `Declare what each tool does, such as effects: { add_item: "compensable" }, ${narrower}or check before it runs`,
    };
  }
  const covered = names.filter((name) => tools?.includes(name) ?? true);
  const undeclared = covered.filter((name) => !Object.hasOwn(effects, name));
  if (undeclared.length > 0) {
    const have = undeclared.length === 1 ? "has" : "have";
    return {
      problem: `${where} ${quotedList(undeclared)} ${have} no declared effect, so ${notUndone(undeclared)}`,
      fix: `Declare effects: { ${effectsOf(undeclared)} }, ${narrower}or check before it runs`,
    };
  }
  const final = covered.filter(
    (name) => effects[name] === "irreversible" || effects[name] === "idempotent",
  );
  if (final.length === 0) return undefined;
  const are = final.length === 1 ? "is" : "are";
  const kinds = ["idempotent", "irreversible"]
    .filter((kind) => final.some((name) => effects[name] === kind))
    .join(" or ");
  return {
    problem: `${where} ${quotedList(final)} ${are} ${kinds}, so ${notUndone(final)}`,
    fix: isForAll ? "Name its `tools`, or check before it runs" : "Check before it runs",
  };
}

function notUndone({ length }: readonly string[]): string {
  return `${length === 1 ? "it" : "they"} could not be undone`;
}

function quotedList(names: readonly string[]): string {
  const quoted = names.slice(0, MAX_NAMES).map((name) => `'${name.slice(0, MAX_LENGTH)}'`);
  const more = names.length - quoted.length;
  const parts = more > 0 ? [...quoted, `${more} more`] : quoted;
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
}

function effectsOf(names: readonly string[]): string {
  const shownNames = names.slice(0, MAX_NAMES).map((name) => `${shownKey(name)}: "compensable"`);
  return [...shownNames, ...(names.length > MAX_NAMES ? ["…"] : [])].join(", ");
}

function shownKey(name: string): string {
  const shown = name.slice(0, MAX_LENGTH);
  return /^[A-Za-z_$][\w$]*$/.test(name) ? shown : JSON.stringify(shown);
}
