// Users who share one guarded set of tools, for adapters that know no conversation by default.
export { describeFailingTool } from "./describe-failing-tool.ts";
export { describeUsers } from "./describe-users.ts";
export type { PayCall, UsersHost, UsersKit } from "./users-kit.ts";
