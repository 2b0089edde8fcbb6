import {
  type AskRequest,
  type Contract,
  createContract,
  type ExecuteContext,
  type Handled,
  type RunnableTool,
  type ToolCall,
} from "@toolcontract/core";
import type { Guardrails } from "@toolcontract/guardrails";
import type { Claim } from "../assertions.ts";
import { countTokens } from "../count-tokens.ts";
import type { CallRecord, Scenario, Scene, TurnRecord } from "../scenario.ts";
import { argumentsText, createScriptedModel, type ModelTurn } from "../scripted-model.ts";
import { createWatchedContract, type WatchedContract } from "../watched-contract.ts";
import type { Folder } from "../workspace.ts";

/** The tools of an agent on one side, and what they have done. */
export interface World {
  readonly tools: readonly RunnableTool[];
  /** What is there now, in words. */
  read(): string;
}

/** A scenario in a loop of one's own, whose guardrails limit what tools spend and ask a person. */
export interface AgentScenario extends Omit<Scenario, "play" | "options" | "verify"> {
  /** Opens the world of one side in its folder. */
  readonly open: (folder: Folder) => World;
  /** The policies, for the side with the contract. */
  readonly guardrails: (folder: Folder) => Guardrails;
  /** Whether the person agrees to what they are asked. */
  readonly person: (request: AskRequest) => boolean;
  readonly verify: (scene: AgentScene, claim: Claim) => void;
}

/** What happened on both sides, and what the person was asked. */
interface AgentScene extends Scene {
  readonly worlds: { readonly guarded: World; readonly plain: World };
  readonly asked: readonly AskRequest[];
}

const USER = "u-17";

/** Makes a scenario of an agent that runs in a loop of its own. */
export function inOwnLoop({ verify, ...agent }: AgentScenario): Scenario {
  let played: AgentScene | undefined;
  return {
    ...agent,
    async play({ workspace: { guarded, plain } }) {
      const worlds = { guarded: agent.open(guarded), plain: agent.open(plain) };
      const guardrails = agent.guardrails(guarded);
      const options = { workspaceRoot: guarded.path };
      const watched = createWatchedContract({ ...options, guardrails });
      const others = agent.guardrails(guarded);
      const compact = {
        guardrails: others,
        contract: createContract({
          ...options,
          format: { style: "compact" },
          guardrails: others,
          logger: false,
        }),
      };
      const asked: AskRequest[] = [];
      const playing = { agent, worlds, guardrails, watched, compact, asked };
      const model = createScriptedModel(agent.script);
      const turns: TurnRecord[] = [];
      for (let message = model.next([]); message; message = model.next(answersOf(turns.at(-1)))) {
        turns.push(await playTurn(message, turns.length + 1, playing));
      }
      const { contract, logs, events, escalations } = watched;
      const seen = { logs, events, escalations, metrics: contract.metrics() };
      played = { ...seen, turns, guarded, plain, worlds, asked };
      return played;
    },
    verify(_, claim) {
      if (played) verify(played, claim);
    },
  };
}

interface Playing {
  readonly agent: Omit<AgentScenario, "verify">;
  readonly worlds: AgentScene["worlds"];
  readonly guardrails: Guardrails;
  readonly watched: WatchedContract;
  /** The same contract in the compact style, only for the token counts. */
  readonly compact: { readonly contract: Contract; readonly guardrails: Guardrails };
  readonly asked: AskRequest[];
}

async function playTurn(message: ModelTurn, turn: number, playing: Playing): Promise<TurnRecord> {
  const calls: CallRecord[] = [];
  for (const [index, scripted] of message.calls.entries()) {
    const id = `call_${turn}_${index + 1}`;
    const call = { id, name: scripted.tool, arguments: argumentsText(scripted) };
    calls.push(await playCall(call, `turn-${turn}`, playing));
  }
  return { message, calls };
}

/** Makes a call on both sides, and says what the model reads. */
async function playCall(call: ToolCall, turnId: string, playing: Playing): Promise<CallRecord> {
  const { agent, worlds, guardrails, watched, compact, asked } = playing;
  const place = { conversationId: agent.name, runId: "run-1", turnId };
  let thrown: Error | undefined;
  const execute = async (args: unknown, context: ExecuteContext): Promise<unknown> => {
    try {
      // The contract has checked them for this tool.
      return await toolOf(call, worlds.guarded)?.execute(args as never, context);
    } catch (error) {
      thrown = error as Error;
      throw error;
    }
  };
  const { tools } = worlds.guarded;
  const context = { user: USER };
  const asking = await grantedCall(guardrails, agent.person, async (grants) =>
    watched.contract.handle(call, { ...place, tools, context: { ...context, grants }, execute }),
  );
  const again = (): unknown => {
    if (thrown !== undefined) throw thrown;
    return "";
  };
  const shorter = await grantedCall(compact.guardrails, agent.person, async (grants) =>
    compact.contract.handle(call, {
      ...place,
      tools,
      context: { ...context, grants },
      execute: again,
    }),
  );
  const { handled, request, agrees } = asking;
  if (request) asked.push(request);
  const why = request?.reasons.map((reason) => reason.why).join(", ");
  const answered = request
    ? `a person is asked: ${why}; they ${agrees ? "agree" : "do not agree"}\n`
    : "";
  const text = await runPlain(call, worlds.plain);
  return {
    call,
    handled,
    repaired: watched.repaired.has(call.id),
    tokens: countTokens(handled.result.content),
    compactTokens: countTokens(shorter.handled.result.content),
    without: [{ loop: "plain", text, ran: true, tokens: countTokens(text) }],
    state: `${answered}${worlds.guarded.read()}`,
  };
}

/** What came of a call, and what a person was asked before. */
interface Asking {
  readonly handled: Handled;
  readonly request?: AskRequest;
  readonly agrees: boolean;
}

/** Makes a call; if a person is asked and agrees, makes it again with their grant. */
async function grantedCall(
  guardrails: Guardrails,
  person: AgentScenario["person"],
  make: (grants: readonly string[]) => Promise<Handled>,
): Promise<Asking> {
  const handled = await make([]);
  if (handled.status !== "ask") return { handled, agrees: false };
  const { request } = handled;
  if (!person(request)) return { handled, request, agrees: false };
  const grant = await guardrails.grant(request, { by: "operator-3", expiresIn: 60_000 });
  return { handled: await make([grant]), request, agrees: true };
}

/** A loop without the contract runs whatever the model sends. */
async function runPlain(call: ToolCall, world: World): Promise<string> {
  try {
    return String(
      await toolOf(call, world)?.execute(JSON.parse(String(call.arguments)) as never, { call }),
    );
  } catch (error) {
    return String(error);
  }
}

function toolOf({ name }: ToolCall, { tools }: World): RunnableTool | undefined {
  return tools.find((one) => one.name === name);
}

function answersOf(turn: TurnRecord | undefined): readonly string[] {
  return (turn?.calls ?? []).map(({ handled }) => handled.result.content);
}
