export {
  GRANT_ROWS,
  type Ask,
  type AskingCall,
  type GrantOptions,
  type GrantedBy,
  type Grants,
  createGrants,
} from "./grants.ts";
export type { GrantStore } from "./used-grants.ts";
