export {
  GRANT_ROWS,
  type AskOfGuardrail,
  type AskingCall,
  type GrantOptions,
  type GrantedBy,
  type Grants,
  createGrants,
} from "./grants.ts";
export type { GrantStore, UsedGrant } from "./used-grants.ts";
