import type { Contract } from "@toolcontract/core";

/** Whether the server can be reached, as its latest request has found. */
export interface Reachability {
  /** Notes that a request could not be sent; the first one is logged. */
  readonly away: (code: string) => void;
  /** Notes that the server has answered; the first answer after that is logged. */
  readonly answered: () => void;
}

/** Creates it. */
export function createReachability({ log }: Contract["settings"]): Reachability {
  let isAway = false;
  return {
    away(code) {
      if (isAway) return;
      isAway = true;
      log({ level: "warn", package: "mcp", error_type: code }, "The MCP server cannot be reached");
    },
    answered() {
      if (!isAway) return;
      isAway = false;
      log({ level: "warn", package: "mcp" }, "The MCP server can be reached again");
    },
  };
}
