import type { LintRule } from "../shared/index.ts";
import { descriptionContradicts, exampleInvalid } from "./contradicting-prose.ts";
import { defaultInvalid } from "./default-invalid.ts";
import { enumInProse } from "./enum-in-prose.ts";
import { formatInProse } from "./format-in-prose.ts";
import { hiddenInstructions } from "./hidden-instructions.ts";
import { keywordMisspelt } from "./keyword-misspelt.ts";
import { listInString } from "./list-in-string.ts";
import { missingDescription, missingType, unclearName } from "./missing-description.ts";
import { nearEqualDescriptions } from "./near-equal-descriptions.ts";
import { nearEqualNames } from "./near-equal-names.ts";
import { noValuePasses } from "./no-value-passes.ts";
import { providerBreaks } from "./provider-breaks.ts";
import { defaultRequired, requiredUndeclared } from "./required.ts";
import { providerRefuses } from "./provider-refuses.ts";
import {
  deepNesting,
  nullRefused,
  outputSchema,
  quotedEnum,
  undeclaredAccepted,
  unionUntagged,
} from "./shape.ts";
import { patternUnreadable, slowPattern } from "./slow-pattern.ts";
import { variantsOverlap } from "./variants-overlap.ts";
import { schemaBroken, secretShown, tokenCost } from "./whole.ts";

/** All rules, errors first. */
export const RULES: readonly LintRule[] = [
  providerBreaks,
  noValuePasses,
  defaultInvalid,
  keywordMisspelt,
  hiddenInstructions,
  schemaBroken,
  requiredUndeclared,
  defaultRequired,
  variantsOverlap,
  slowPattern,
  patternUnreadable,
  enumInProse,
  listInString,
  quotedEnum,
  descriptionContradicts,
  exampleInvalid,
  nearEqualNames,
  nearEqualDescriptions,
  missingDescription,
  missingType,
  unclearName,
  unionUntagged,
  deepNesting,
  outputSchema,
  secretShown,
  formatInProse,
  nullRefused,
  undeclaredAccepted,
  providerRefuses,
  tokenCost,
];

export { EXAMPLES, type RuleExample, documentOf } from "./examples.ts";
export { saysNothing } from "./missing-description.ts";
export { valuesInProse } from "./prose.ts";

export { deepNesting, providerBreaks };
