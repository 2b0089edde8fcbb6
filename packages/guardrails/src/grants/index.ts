export {
  GRANT_ROWS,
  type AskOfGuardrail,
  type AskingCall,
  type GrantOptions,
  type GrantedBy,
  type Grants,
  createGrants,
} from "./grants.ts";
export type { GrantStore } from "./used-grants.ts";
