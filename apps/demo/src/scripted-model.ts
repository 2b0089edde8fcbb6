/** A scripted tool call: arguments as a value, or as the exact string of malformed output. */
export interface ScriptedCall {
  readonly tool: string;
  readonly args: object | string;
}

/** One message of the model. */
export interface AssistantMessage {
  readonly calls: readonly ScriptedCall[];
  /** What the model says to the user when it makes no more calls. */
  readonly says?: string;
  /** Words in the last answers that this message depends on. */
  readonly learned?: readonly string[];
  /** Why the output ended, in the provider's words. */
  readonly finishReason?: "tool_calls" | "length";
}

/** A model's next message, and whether the answers it read had what it depends on. */
export interface ModelTurn extends AssistantMessage {
  readonly lessons: readonly Lesson[];
}

interface Lesson {
  readonly words: string;
  readonly wasTold: boolean;
}

/** A model that follows a script and records whether the answers had what each message depends on. */
export interface ScriptedModel {
  next(answers: readonly string[]): ModelTurn | undefined;
}

/** Creates a model from its messages. */
export function createScriptedModel(script: readonly AssistantMessage[]): ScriptedModel {
  const messages = script.values();
  return {
    next(answers) {
      const { value, done } = messages.next();
      if (done === true) return undefined;
      const lessons = (value.learned ?? []).map((words) => ({
        words,
        wasTold: answers.some((answer) => answer.includes(words)),
      }));
      return { ...value, lessons };
    },
  };
}

/** A call's arguments as a provider would pass them. */
export function argumentsText({ args }: ScriptedCall): string {
  return typeof args === "string" ? args : JSON.stringify(args);
}
