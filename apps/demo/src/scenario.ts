import type {
  ContractOptions,
  Escalation,
  Handled,
  LogFields,
  MetricsSnapshot,
  ToolCall,
} from "@toolcontract/core";
import type { Assertion, Claim } from "./assertions.ts";
import type { AssistantMessage, ModelTurn } from "./scripted-model.ts";
import type { Shop } from "./shop/shop.ts";
import type { Stage } from "./stage.ts";
import type { PlainAnswer } from "./without-contract.ts";
import type { Folder } from "./workspace.ts";

/** A short scripted conversation and what it proves. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  /** What goes wrong in practice, in one sentence. */
  readonly story: string;
  readonly options?: Pick<ContractOptions, "rules" | "unknownFields" | "telemetry">;
  readonly script: readonly AssistantMessage[];
  /** Strings that must not appear anywhere, including the demo's own output. */
  readonly secrets?: readonly string[];
  /** Also send valid calls to the server without the contract. */
  readonly compareValid?: true;
  /** Plays it in another loop than the plain one around core. */
  play?(stage: Stage): Promise<Scene>;
  verify(scene: Scene, claim: Claim): void;
}

/** One call and its outcome. */
export interface CallRecord {
  readonly call: ToolCall;
  readonly handled: Handled;
  /** True if malformed JSON was repaired before the call was validated. */
  readonly repaired: boolean;
  /** Tokens of the answer. */
  readonly tokens: number;
  /** Tokens of the same answer in the compact style. */
  readonly compactTokens: number;
  /** What loops without the contract answer to the same call, if it is sent there. */
  readonly without: readonly PlainAnswer[];
  /** True if a limit of a session decided what the model reads. */
  readonly isLimited?: boolean;
  /** What the call did to the state of its tool, in words. */
  readonly state?: string;
}

/** One message of the model and its answers. */
export interface TurnRecord {
  readonly message: ModelTurn;
  readonly calls: readonly CallRecord[];
  /** What a session did with the request of the turn, in words. */
  readonly request?: string;
  /** What the model reads about its final answer. */
  readonly answer?: { readonly text: string } & Pick<CallRecord, "tokens" | "compactTokens">;
}

/** Everything that happened in a scenario, for assertions and the timeline. */
export interface Scene {
  readonly turns: readonly TurnRecord[];
  readonly escalations: readonly Escalation[];
  readonly logs: readonly LoggedEntry[];
  /** Events of the contract, as JSON. */
  readonly events: readonly string[];
  readonly metrics: MetricsSnapshot;
  /** The folder behind the contract. */
  readonly guarded: Folder;
  /** The folder that received the same invalid calls without it. */
  readonly plain: Folder;
  /** The shops on both sides, if the tools are those of a shop. */
  readonly shops?: { readonly guarded: Shop; readonly plain: Shop };
  /** What the application gets on both sides of a session, in words. */
  readonly results?: { readonly guarded: string; readonly plain: string };
  /** What operators see of it. */
  readonly pages?: readonly ScenePage[];
}

/** A page of text that is printed below the turns. */
interface ScenePage {
  readonly title: string;
  readonly text: string;
}

/** The arguments of a call of the contract's logger. */
export interface LoggedEntry {
  readonly fields: LogFields;
  readonly message: string;
}

/** A scene and its verdict. */
export interface Played {
  readonly scenario: Scenario;
  /** Missing if the scenario threw. */
  readonly scene?: Scene;
  readonly assertions: readonly Assertion[];
  readonly failures: readonly Assertion[];
}

/** The record of a call, counted from turn 1 and call 1. */
export function callAt(scene: Scene, turn: number, call = 1): CallRecord {
  const record = scene.turns[turn - 1]?.calls[call - 1];
  if (record === undefined) throw new Error(`The scene has no call ${call} in turn ${turn}.`);
  return record;
}
