import type { CorpusTool } from "../corpus.ts";
import type { MakeCall, System } from "../recovery/systems/system.ts";

/** Answers an invalid call of one tool: the text of its arguments becomes the text for the model. */
export type Reject = (text: string) => Promise<string> | string;

/** A package, or a part of one, that answers invalid calls. */
export interface Rejecting {
  readonly name: string;
  /** Gets ready for a tool, as a host does once. */
  readonly prepare: (tool: CorpusTool) => Promise<Reject> | Reject;
  readonly close?: () => Promise<void>;
}

/** A system whose texts are measured, as one whose time is. */
export function rejectingSystem(system: System, name: string): Rejecting {
  return {
    name,
    prepare: async (tool) => answerOf(await system.offer(tool)),
    ...(system.close && { close: system.close }),
  };
}

function answerOf(call: MakeCall): Reject {
  return async (text) => {
    const outcome = await call(text);
    if (outcome.status !== "answered") throw new Error(`It ${outcome.status}, of ${text}.`);
    return outcome.text;
  };
}
