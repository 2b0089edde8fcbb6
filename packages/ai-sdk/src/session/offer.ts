import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { ToolContractError } from "@toolcontract/core";
import { REPORT_TOOL } from "@toolcontract/session/adapter";
import type { ToolSet } from "ai";
import type { SdkTool } from "../sdk.ts";

/** What the tools of one run are offered as. */
export interface Offer<TOOLS extends ToolSet = ToolSet> {
  /** The session's tools, with the one for the report. */
  readonly tools: TOOLS;
  /** Begins a step. */
  begin(): void;
  /**
   * The request with the report tool, which a list of active tools may have left out.
   *
   * @throws ToolContractError if the tools of the request are not the session's: nothing would limit or check them.
   */
  complete(request: LanguageModelV4CallOptions): LanguageModelV4CallOptions;
}

interface ReportParts {
  readonly report: SdkTool;
  readonly description: string;
  readonly inputSchema: object;
}

/** Creates the offer of one run; without `report`, its report is text. */
export function createOffer<TOOLS extends ToolSet>(
  tools: TOOLS,
  report: ReportParts | undefined,
): Offer<TOOLS> {
  let wasRead = false;
  if (report) {
    // The SDK reads all tools in each step, before it leaves some out: if it does not, it was given others.
    Object.defineProperty(tools, REPORT_TOOL, {
      get: () => {
        wasRead = true;
        return report.report;
      },
      enumerable: true,
      configurable: true,
    });
  }
  return {
    tools,
    begin() {
      wasRead = false;
    },
    complete(request) {
      const { tools: sent = [] } = request;
      if (sent.some(({ name }) => name === REPORT_TOOL)) return request;
      const areOwn = sent.every(({ name }) => Object.hasOwn(tools, name));
      if (!areOwn || (report !== undefined && !wasRead)) throw notOffered();
      if (report === undefined) return request;
      const { description, inputSchema } = report;
      const added = { type: "function", name: REPORT_TOOL, description, inputSchema } as const;
      return { ...request, tools: [...sent, added] };
    },
  };
}

function notOffered(): ToolContractError {
  return new ToolContractError(
    "agentSession: the tools of this call are not the session's, so nothing limits or checks them. Pass your tools to agentSession, and spread the options of run() last.",
  );
}
