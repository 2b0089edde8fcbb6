import { type AIAgentResult } from "@toolcontract/session";
import { type ModelTurn } from "../scripted-model.ts";

/** The outcome without a session. */
export interface BareRun {
  readonly turns: readonly ModelTurn[];
  /** What the model read, by the id of the call. */
  readonly answers: ReadonlyMap<string, string>;
  /** What the application got as the answer. */
  readonly text: string;
  /** What the run threw instead. */
  readonly thrown?: string;
}

/** The outcome within the limits. */
export interface LimitedRun {
  readonly turns: readonly ModelTurn[];
  readonly answers: ReadonlyMap<string, string>;
  readonly result: AIAgentResult<unknown>;
  /** The names of the tools that each request to the model offered. */
  readonly offered: readonly (readonly string[])[];
}
