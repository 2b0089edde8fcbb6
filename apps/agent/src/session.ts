import { type AgentSession, agentSession, type SdkTarget } from "@toolcontract/ai-sdk/session";
import type { AgentConfig } from "./settings/index.ts";
import { createContract } from "@toolcontract/core";
import type { ExecutionStage } from "@toolcontract/core/stage";
import { RunError, type SessionEvent, type SessionLimits } from "@toolcontract/session";
import { checkPrices, REPORT_TOOL } from "@toolcontract/session/adapter";
import type { ToolSet } from "ai";
import { DEFAULTS } from "./defaults.ts";
import { eventLine, type Output, type RefusedCall } from "./output/index.ts";
import { checkSchemas, type Servers } from "./servers/index.ts";

/** Whom a session asks and calls, and where it is heard. */
export interface SessionParts {
  readonly targets: readonly [SdkTarget, ...SdkTarget[]];
  readonly servers: Servers;
  readonly output: Output;
  /** Called for everything that the session reports. */
  readonly onEvent: (event: SessionEvent) => void;
  /** Called for each call that the contract has refused. */
  readonly onRefused: (refused: RefusedCall) => void;
}

/** The session of a configuration. What a file sets for one server goes before what it sets for all. */
export async function createSession(
  config: AgentConfig,
  { targets, servers, output, onEvent, onRefused }: SessionParts,
): Promise<AgentSession<ToolSet>> {
  checkOutputSchema(config, output);
  if (config.session.maxCost !== undefined) await checkPriced(targets);
  const { tools, serverOf, limits } = servers;
  const { transport, ...session } = config.session;
  const { toolTimeout, toolResponseMaxBytes } = { ...DEFAULTS, ...session };
  const contract = createContract({
    ...config.options,
    ...(await guardrailsOf(config)),
    logger: false,
    onEscalation: ({ toolName }) =>
      output.warn(`${toolName} is blocked: the model did not correct its calls`),
  });
  contract.on("call-rejected", ({ toolName: tool, attempt, maxAttempts, errors }) =>
    onRefused({ type: "call-refused", tool, attempt, maxAttempts, errors }),
  );
  return agentSession({
    contract,
    plainText: DEFAULTS.plainText,
    ...session,
    ...(await transportOf(transport)),
    targets,
    tools,
    serverOf,
    queues: config.queues,
    queueOf: limits.queueOf,
    toolTimeout: (tool) => limits.toolTimeout(tool) ?? toolTimeout,
    toolResponseMaxBytes: (tool) => limits.toolResponseMaxBytes(tool) ?? toolResponseMaxBytes,
    onEvent(event) {
      const warning = eventLine(event);
      if (warning !== undefined) output.warn(warning);
      onEvent(event);
    },
  });
}

/** The schema of the report is read as those of tools are: what cannot be used at all would accept any report. */
function checkOutputSchema({ session, options }: AgentConfig, { warn }: Output): void {
  const { outputSchema: inputSchema } = session;
  if (inputSchema === undefined) return;
  const { unusable, warnings } = checkSchemas([{ name: REPORT_TOOL, inputSchema }], options);
  for (const warning of warnings) warn(`session.output_schema: ${warning}`);
  if (unusable.length === 0) return;
  throw new RunError("schema", "session.output_schema: nothing of this schema can be used.");
}

/** Dollars that nobody can count do not limit anything: said before anything is asked. */
async function checkPriced(targets: SessionParts["targets"]): Promise<void> {
  const named = targets.map((target) => ({
    target,
    ...(typeof target.model === "string"
      ? { provider: "gateway", model: target.model }
      : { provider: target.model.provider, model: target.model.modelId }),
  }));
  await checkPrices("session.max_cost", { given: {} }, named);
}

/** The transport that the files name; what speaks XML is loaded only then. */
async function transportOf(
  name: AgentConfig["session"]["transport"] = "native",
): Promise<Pick<SessionLimits, "transport">> {
  if (name === "native") return {};
  const { xml, xmlFinal } = await import("@toolcontract/session/xml");
  return { transport: name === "xml" ? xml : xmlFinal };
}

/** The stage for what the files set below `tools.guardrails`, which only then is loaded. */
async function guardrailsOf({
  guardrails,
}: AgentConfig): Promise<{ readonly guardrails?: ExecutionStage }> {
  if (Object.keys(guardrails).length === 0) return {};
  const { guardrailsFrom } = await import("@toolcontract/guardrails/config");
  return { guardrails: guardrailsFrom(guardrails) };
}
