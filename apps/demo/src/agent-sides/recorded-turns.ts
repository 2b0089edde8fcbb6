import type { Scenario } from "../scenario.ts";
import { argumentsText, createScriptedModel, type ModelTurn } from "../scripted-model.ts";

/** A call as a framework's model writes it. */
interface WrittenCall {
  readonly id: string;
  readonly name: string;
  /** The arguments, as text. */
  readonly text: string;
}

/** A script behind a framework's interface of a model. */
export interface RecordedTurns {
  readonly turns: readonly ModelTurn[];
  /** What the model read, by the id of the call. */
  readonly answers: ReadonlyMap<string, string>;
  /** Keeps what the model read about a call. */
  readonly read: (callId: string, answer: string) => void;
  /** The next message, and its calls; without any calls once the script is over. */
  readonly next: () => { readonly message: ModelTurn; readonly calls: readonly WrittenCall[] };
}

/** Plays a script, and keeps what was written and read. */
export function recordTurns(script: Scenario["script"]): RecordedTurns {
  const source = createScriptedModel(script);
  const turns: ModelTurn[] = [];
  const answers = new Map<string, string>();
  return {
    turns,
    answers,
    read: (id, answer) => void answers.set(id, answer),
    next() {
      const turn = turns.length;
      const message = source.next([...answers.values()]) ?? { calls: [], lessons: [] };
      turns.push(message);
      const calls = message.calls.map((call, index) => ({
        id: callId(turn, index),
        name: call.tool,
        text: argumentsText(call),
      }));
      return { message, calls };
    },
  };
}

/** The id of a call of the script. */
export function callId(turn: number, index: number): string {
  return `call_${turn + 1}_${index + 1}`;
}
