import { nearest } from "../schema/index.ts";
import { ToolContractError } from "../shared/index.ts";
import type { OptionRule, OptionRules } from "./option-rules.ts";

/** What to do instead about options that belong elsewhere, by option name: a sentence that follows the error. */
export type Elsewhere = Readonly<Record<string, string>>;

/** Throws if an option is missing, unknown or does not fit; `where` is the function that the error names. */
export function checkMembers(
  where: string,
  options: object,
  rules: OptionRules,
  {
    prefix = "",
    elsewhere = {},
    allowsOthers = false,
  }: {
    /** Written before every name, such as `format.` */
    readonly prefix?: string;
    readonly elsewhere?: Elsewhere;
    /** Whether unknown members are fine that look like no misspelt option. */
    readonly allowsOthers?: boolean;
  } = {},
): void {
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!rule) {
      const known = Object.keys(rules);
      const near = nearest(name, [...new Set([...known, ...Object.keys(elsewhere)])]) ?? name;
      if (allowsOthers && near === name) continue;
      const advice = known.includes(near)
        ? `Did you mean '${prefix}${near}'?`
        : Object.hasOwn(elsewhere, near)
          ? elsewhere[near]
          : `The options are ${listed(known)}.`;
      throw new ToolContractError(
        `${where}: unknown option '${prefix}${name.slice(0, 64)}'. ${advice}`,
      );
    }
    if (value !== undefined) checkValue(where, `${prefix}${name}`, value, rule);
  }
  const missing = Object.entries(rules).find(
    ([name, { isRequired }]) =>
      isRequired === true && (options as Readonly<Record<string, unknown>>)[name] === undefined,
  );
  if (missing) throw misfit(where, `${prefix}${missing[0]}`, missing[1]);
}

function checkValue(where: string, name: string, value: unknown, rule: OptionRule): void {
  if (!rule.fits(value)) throw misfit(where, name, rule);
  if (rule.members)
    checkMembers(where, Object(value) as object, rule.members, { prefix: `${name}.` });
  const { each } = rule;
  if (!each) return;
  for (const [key, one] of Object.entries(Object(value) as object)) {
    checkValue(where, `${name}.${key.slice(0, 64)}`, one, each);
  }
}

function misfit(where: string, name: string, { wants }: OptionRule): ToolContractError {
  return new ToolContractError(`${where}: option '${name}' must be ${wants}.`);
}

/** More names than this do not help. */
const MAX_LISTED = 30;

function listed(names: readonly string[]): string {
  const more = names.length - MAX_LISTED;
  const shown = names.slice(0, MAX_LISTED).join(", ");
  return more > 0 ? `${shown}, and ${more} more` : shown;
}
