import type { HostContext, ToolCall } from "../shared/index.ts";
import type { HandleContext } from "./contexts.ts";
import type { Contract } from "./contract.ts";

/** Who calls, or a function that knows it for the call that is being made, such as one that reads an AsyncLocalStorage. */
export type ContextSource = HostContext | (() => HostContext | undefined);

/** The same contract, whose calls have a context unless the host passes one with a call. */
export function withContext(contract: Contract, source: ContextSource): Contract {
  const known = (): { readonly context?: HostContext } => {
    const context = typeof source === "function" ? source() : source;
    return context === undefined ? {} : { context };
  };
  return {
    ...contract,
    check: (tool, args, options) => contract.check(tool, args, { ...known(), ...options }),
    checkAsync: async (tool, args, options) =>
      contract.checkAsync(tool, args, { ...known(), ...options }),
    admit: async (call, context) => contract.admit(call, { ...known(), ...context }),
    admitTurn: async (calls, context) => contract.admitTurn(calls, { ...known(), ...context }),
    handle: (async (call: ToolCall, context: HandleContext) =>
      contract.handle(call, { ...known(), ...context })) as Contract["handle"],
    handleTurn: (async (calls: readonly ToolCall[], context: HandleContext) =>
      contract.handleTurn(calls, { ...known(), ...context })) as Contract["handleTurn"],
  };
}
