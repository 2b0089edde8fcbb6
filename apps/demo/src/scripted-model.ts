/** A tool call as the script has it: arguments as a value, or as the very text of a broken output. */
export interface ScriptedCall {
  readonly tool: string;
  readonly args: object | string;
}

/** One message of the model. */
export interface AssistantMessage {
  readonly calls: readonly ScriptedCall[];
  /** What the model says to the user, where it calls nothing any more. */
  readonly says?: string;
  /** Words of the last answers that the model needs for this message. */
  readonly learned?: readonly string[];
  /** Why the output ended, as providers say it. */
  readonly finishReason?: "tool_calls" | "length";
}

/** A model's next message and whether the answers it read really taught it what it does. */
export interface ModelTurn extends AssistantMessage {
  readonly lessons: readonly Lesson[];
}

interface Lesson {
  readonly words: string;
  readonly wasTold: boolean;
}

/** A model that follows a script, and keeps note of whether its answers held what it acts on. */
export interface ScriptedModel {
  next(answers: readonly string[]): ModelTurn | undefined;
}

/** Makes a model from its messages. */
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

/** The text of a call's arguments, as a provider would hand it over. */
export function argumentsText({ args }: ScriptedCall): string {
  return typeof args === "string" ? args : JSON.stringify(args);
}
