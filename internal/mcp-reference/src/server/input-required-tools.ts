import {
  type CallToolResult,
  inputRequired,
  type InputRequest,
  type InputRequests,
  type InputRequiredResult,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { capabilitiesOf } from "./client-capabilities.ts";

type Round = (context: ServerContext) => Promise<CallToolResult | InputRequiredResult>;

const NO_ARGUMENTS = z.object({});
const NAME = elicit("What are you called?", "name");
const CONFIRMATION = elicit("Is this right?", "ok", z.boolean());

function elicit(message: string, field: string, schema: z.ZodType = z.string()): InputRequest {
  return inputRequired.elicit({ message, requestedSchema: z.object({ [field]: schema }) });
}

function sample(words: string): InputRequest {
  const content = { type: "text" as const, text: words };
  return inputRequired.createMessage({ messages: [{ role: "user", content }], maxTokens: 100 });
}

function done(words: string): CallToolResult {
  return { content: [{ type: "text", text: words }] };
}

function answers({ mcpReq }: ServerContext, requests: InputRequests): boolean {
  return Object.keys(requests).every((key) => mcpReq.inputResponses?.[key] !== undefined);
}

/** Asks for inputs until all of them have arrived. */
function gather(inputRequests: InputRequests): Round {
  return async (context) =>
    answers(context, inputRequests)
      ? done(`Got ${JSON.stringify(context.mcpReq.inputResponses)}`)
      : inputRequired({ inputRequests });
}

/** Asks for inputs in steps; the state of a call holds its step. */
function inSteps(states: RequestStateCodec<string>, steps: readonly InputRequests[]): Round {
  return async (context) => {
    const at = Number(context.mcpReq.requestState<string>() ?? -1);
    const asked = steps[at];
    const next = asked === undefined || answers(context, asked) ? at + 1 : at;
    const inputRequests = steps[next];
    if (inputRequests === undefined) return done("state-ok: all steps are done");
    const requestState = await states.mint(String(next), context);
    return inputRequired({ inputRequests, requestState });
  };
}

/** Asks only for inputs that the client supports. */
const withinCapabilities: Round = async (context) => {
  const can = capabilitiesOf(context);
  const inputRequests: InputRequests = {
    ...(can.elicitation !== undefined && { name: NAME }),
    ...(can.sampling !== undefined && { greeting: sample("Greet the user") }),
  };
  if (Object.keys(inputRequests).length === 0) return done("This client can answer nothing");
  return gather(inputRequests)(context);
};

/** The tools and the prompt that need inputs from the client before they answer. */
export function addInputRequiredTools(server: McpServer, states: RequestStateCodec<string>): void {
  const everything = {
    user_name: NAME,
    greeting: sample("Greet the user"),
    client_roots: inputRequired.listRoots(),
  };
  const rounds: Readonly<Record<string, Round>> = {
    elicitation: gather({ user_name: NAME }),
    sampling: gather({ capital_question: sample("Which city is the capital of France?") }),
    list_roots: gather({ client_roots: inputRequired.listRoots() }),
    request_state: inSteps(states, [{ confirm: CONFIRMATION }]),
    multiple_inputs: inSteps(states, [everything]),
    multi_round: inSteps(states, [
      { step1: NAME },
      { step2: elicit("Which colour do you like?", "color") },
    ]),
    tampered_state: inSteps(states, [{ confirm: CONFIRMATION }]),
    capabilities: withinCapabilities,
  };
  for (const [name, round] of Object.entries(rounds)) {
    const config = { description: `Needs inputs: ${name}`, inputSchema: NO_ARGUMENTS };
    server.registerTool(`test_input_required_result_${name}`, config, async (_, context) =>
      round(context),
    );
  }
  addPrompt(server);
}

function addPrompt(server: McpServer): void {
  const inputRequests = { user_context: elicit("In which context?", "context") };
  const config = { description: "Needs an input" };
  server.registerPrompt("test_input_required_result_prompt", config, async (context) => {
    if (!answers(context, inputRequests)) return inputRequired({ inputRequests });
    const words = JSON.stringify(context.mcpReq.inputResponses);
    return { messages: [{ role: "user", content: { type: "text", text: words } }] };
  });
}
