import type { ScenarioCall, ScenarioTurn } from "./scenario.ts";

/** What a program sent to the model in one request, whatever the wire format. */
export interface SeenRequest {
  /** The conversation, oldest first. */
  readonly history: readonly SeenEntry[];
  readonly isStream: boolean;
  /** Whether the model may answer with a call: tools are on offer, and the choice is not `none`. */
  readonly mayCall: boolean;
}

/** One part of a conversation as the program keeps it. */
export type SeenEntry =
  | { readonly kind: "calls"; readonly calls: readonly SeenCall[] }
  | {
      readonly kind: "answer";
      readonly id: string;
      /** The tool's name, if the format has it in the answer. */
      readonly name?: string;
      readonly text: string;
      /** Whether it is marked as an error; undefined if the format has no mark. */
      readonly isError?: boolean;
    }
  | { readonly kind: "text"; readonly role: string; readonly text: string };

/** A call as the program keeps it. */
export interface SeenCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as a string, if the format has them as one. */
  readonly text?: string;
}

/** A tool that reported that it ran. */
export interface SeenRun {
  /** How many messages the model had sent before. */
  readonly turn: number;
  readonly name: string;
  readonly arguments: unknown;
  /** The body of the report as it arrived. */
  readonly body: string;
  /** What the kit gave the tool as a part of its result. */
  readonly receipt: string;
}

/** A message of the model, with the ids that its calls have in this run. */
export interface PlayedTurn {
  readonly turn: ScenarioTurn;
  readonly calls: readonly PlayedCall[];
}

/** A call of such a message. */
export interface PlayedCall {
  readonly id: string;
  readonly call: ScenarioCall;
}

/** How a program ended. */
export type ProgramEnd =
  | { readonly kind: "ended" }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "time"; readonly seconds: number }
  | { readonly kind: "count" };

/** All that a program did in one scenario. */
export interface Transcript {
  readonly requests: readonly SeenRequest[];
  /** All messages of the script, also those that the model had no chance to send; they end where it had to answer in words. */
  readonly script: readonly PlayedTurn[];
  readonly runs: readonly SeenRun[];
  /** The calls that a person was asked about. */
  readonly approvals: readonly Omit<SeenRun, "receipt">[];
  /** The final answers that the program reported, oldest first. */
  readonly answers: readonly unknown[];
  readonly end: ProgramEnd;
}
