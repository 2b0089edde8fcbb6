import { nearest } from "../schema/index.ts";
import { ToolContractError } from "../shared/index.ts";
import type { OptionRules } from "./option-rules.ts";

/** What to do instead about options that belong elsewhere, by option name: a sentence that follows the error. */
export type Elsewhere = Readonly<Record<string, string>>;

/** Throws if an option is unknown or does not fit; `where` is the function that the error names. */
export function checkMembers(
  where: string,
  options: object,
  rules: OptionRules,
  {
    prefix = "",
    elsewhere = {},
  }: {
    /** Written before every name, such as `format.` */
    readonly prefix?: string;
    readonly elsewhere?: Elsewhere;
  } = {},
): void {
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!rule) {
      const known = Object.keys(rules);
      const near = nearest(name, [...new Set([...known, ...Object.keys(elsewhere)])]) ?? name;
      const advice = known.includes(near)
        ? `Did you mean '${prefix}${near}'?`
        : Object.hasOwn(elsewhere, near)
          ? elsewhere[near]
          : `The options are ${listed(known)}.`;
      throw new ToolContractError(
        `${where}: unknown option '${prefix}${name.slice(0, 64)}'. ${advice}`,
      );
    }
    if (value !== undefined && !rule.fits(value)) {
      throw new ToolContractError(`${where}: option '${prefix}${name}' must be ${rule.wants}.`);
    }
  }
}

/** More names than this do not help. */
const MAX_LISTED = 30;

function listed(names: readonly string[]): string {
  const more = names.length - MAX_LISTED;
  const shown = names.slice(0, MAX_LISTED).join(", ");
  return more > 0 ? `${shown}, and ${more} more` : shown;
}
