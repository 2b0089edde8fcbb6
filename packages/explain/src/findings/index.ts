export { aggregate, findingsWithin } from "./aggregate.ts";
export { type ErrorBuilding, buildErrors, withoutRepeats } from "./build-errors.ts";
export type { OverBudget } from "./over-budget.ts";
export { withSentDigits } from "./rounded-numbers.ts";
export { undeclaredFields, withUnknownFields } from "./unknown-fields.ts";
export {
  ACCEPT_ALL,
  type OnFault,
  type Validator,
  schemaValidator,
  standardValidator,
} from "./validator.ts";
