export { aggregate } from "./aggregate.ts";
export { type ErrorBuilding, buildErrors } from "./build-errors.ts";
export { judge, write } from "./inspect.ts";
export type { OverBudget } from "./over-budget.ts";
export { undeclaredFields, withUnknownFields } from "./unknown-fields.ts";
export {
  ACCEPT_ALL,
  type OnFault,
  type Validator,
  schemaValidator,
  standardValidator,
} from "./validator.ts";
