import { setTimeout } from "node:timers/promises";
import { type Contract, FORMAT_VERSION } from "@toolcontract/core";
import { type SessionLimits } from "@toolcontract/session";
import { REPORT_TOOL } from "@toolcontract/session/adapter";
import type { Claim } from "../assertions.ts";
import { countTokens } from "../count-tokens.ts";
import type { PlainAnswer } from "../without-contract.ts";
import { requestInWords, resultsInWords } from "./session-words.ts";
import type { CallRecord, Scenario, Scene, TurnRecord } from "../scenario.ts";
import { argumentsText, type AssistantMessage } from "../scripted-model.ts";
import { createWatchedContract } from "../watched-contract.ts";
import type { Workspace } from "../workspace.ts";
import type { BareRun, LimitedRun } from "./session-runs.ts";

/** A tool as plain data, for either framework. */
interface SessionTool {
  readonly name: string;
  readonly description: string;
  readonly run: () => string | Promise<string>;
}

/** A scenario about a whole run, with and without a session. */
export interface SessionScenario extends Omit<
  Scenario,
  "compareValid" | "options" | "play" | "verify"
> {
  readonly tools: readonly SessionTool[];
  readonly limits: Omit<SessionLimits, "clock">;
  /** The status with which the first provider answers every request; without it, there is one provider and it works. */
  readonly firstProviderFails?: number;
  verify(scene: SessionScene, claim: Claim): void;
}

/** What happened on both sides. */
export interface SessionScene extends Scene {
  readonly limited: LimitedRun;
  readonly bare: BareRun;
}

/** How a framework runs a scenario, within a session and without. */
export interface Sides {
  readonly limited: (scenario: SessionScenario, contract: Contract) => Promise<LimitedRun>;
  readonly bare: (scenario: SessionScenario) => Promise<BareRun>;
  /** The id that the scripted model gives a call, by the numbers of its turn and of the call in it. */
  readonly idOf: (turn: number, call: number) => string;
}

/** Converts a scenario about a run to one of the demo; the framework is loaded when it is played. */
export function toScenario(
  scenario: SessionScenario,
  loadSides: () => Promise<Sides> | Sides,
): Scenario {
  return {
    ...scenario,
    options: {},
    play: async ({ workspace }) => play(scenario, workspace, await loadSides()),
    // The scene is the one that `play` returned.
    verify(scene: SessionScene, claim) {
      claimResult(scene, claim);
      scenario.verify(scene, claim);
    },
  };
}

async function play(
  scenario: SessionScenario,
  { guarded, plain }: Workspace,
  sides: Sides,
): Promise<SessionScene> {
  const watched = createWatchedContract({ workspaceRoot: guarded.path });
  const limited = await sides.limited(scenario, watched.contract);
  const bare = await sides.bare(scenario);
  const turns = recordTurns(limited, bare, sides.idOf);
  const results = resultsInWords(limited, bare);
  const metrics = watched.contract.metrics();
  return { ...watched, turns, metrics, guarded, plain, results, limited, bare };
}

const PATIENCE_MS = 400;

/** Ends the wait for a run that hangs; an abort does not, because it waits for the tool all the same. */
export async function withPatience<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const isStuck = setTimeout(2 * PATIENCE_MS, undefined, { ref: false }).then(() => {
    throw new Error("it hangs, and was aborted in vain");
  });
  return Promise.race([run(signal), isStuck]);
}

/** The script for a side without a session: there, no model knows of the report tool. */
export function withoutReport({ script }: SessionScenario): readonly AssistantMessage[] {
  return script.map(({ calls, ...message }) => ({
    ...message,
    calls: calls.filter(({ tool }) => tool !== REPORT_TOOL),
  }));
}

/** Puts what the model read on both sides next to each other. */
function recordTurns(
  limited: LimitedRun,
  bare: BareRun,
  idOf: Sides["idOf"],
): readonly TurnRecord[] {
  return limited.turns.map((message, turn) => ({
    message,
    ...requestOf(limited, turn),
    calls: message.calls.map((scripted, index): CallRecord => {
      const id = idOf(turn + 1, index + 1);
      const call = { id, name: scripted.tool, arguments: argumentsText(scripted) };
      const content = limited.answers.get(id) ?? "";
      const isSent = bare.turns[turn] !== undefined && call.name !== REPORT_TOOL;
      const status = "executed";
      const head = { formatVersion: FORMAT_VERSION, toolCallId: id, toolName: call.name };
      const isError = content.startsWith("(tool failed");
      return {
        call,
        handled: {
          status,
          attempt: 1,
          result: { ...head, content, status, isError, advisories: [] },
          output: content,
        },
        repaired: false,
        isLimited: isError || content.startsWith("[TRUNCATED]"),
        tokens: countTokens(content),
        compactTokens: countTokens(content),
        without: isSent ? [plainAnswer(bare, id)] : [],
      };
    }),
  }));
}

function requestOf(limited: LimitedRun, turn: number): Pick<TurnRecord, "request"> {
  const request = requestInWords(limited, turn);
  return request === undefined ? {} : { request };
}

function plainAnswer({ answers, thrown }: BareRun, id: string): PlainAnswer {
  const text = answers.get(id);
  return text === undefined
    ? { loop: "plain", text: `(nothing: ${thrown})`, tokens: 0, ran: false }
    : { loop: "plain", text, tokens: countTokens(text), ran: true };
}

/** Claims what holds for every scene: a result with a report, and an entry for each request and execution. */
function claimResult({ limited: { result, answers } }: SessionScene, claim: Claim): void {
  const { finalReport, accounting } = result;
  claim("the run ends in a result with a report", finalReport !== undefined, result.error);
  const ran = [...answers.values()].filter((text) => !/too many|last turn/.test(text)).length;
  const entries = accounting.filter(({ type }) => type === "tool").length;
  claim("every execution of a tool is in the accounting", entries === ran, { entries, ran });
}
