import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { ModelMessage } from "ai";

type SystemMessage = Extract<ModelMessage, { readonly role: "system" }>;

/** What a step begins with, in every version. */
interface StepStart {
  readonly messages: readonly ModelMessage[];
  /** Version 7 passes on what an earlier step left of the messages, and the whole beside it. */
  readonly initialMessages?: readonly ModelMessage[];
  readonly responseMessages?: readonly ModelMessage[];
}

/** Collects the messages of a run, so that they are there also after an error. */
export interface Conversation {
  /** Whether the session's model was asked at all. */
  readonly isAsked: boolean;
  /** Notes the messages with which a step begins. */
  step(start: StepStart): void;
  /** Notes the system messages, which only the model sees in every version. */
  readonly request: (params: Pick<LanguageModelV4CallOptions, "prompt">) => void;
  /** Records an answer: the SDK loses it if it throws, as it does for an answer without the required call. */
  readonly answer: (content: readonly { readonly type: string; readonly text?: string }[]) => void;
  /** Notes whether the last answer broke off after a part of it was passed on. */
  readonly broken: (isBroken: boolean) => void;
  /** All messages, with those that the framework returned in the end. */
  all(responses: readonly (readonly ModelMessage[])[] | undefined): readonly ModelMessage[];
}

/** Creates the conversation of one run. */
export function createConversation(): Conversation {
  let system: readonly SystemMessage[] = [];
  let initial: readonly ModelMessage[] = [];
  let soFar: readonly ModelMessage[] = [];
  let isFirst = true;
  let isAsked = false;
  let last: readonly ModelMessage[] = [];
  let isBroken = false;
  let isCumulative = true;
  return {
    get isAsked() {
      return isAsked;
    },
    step({ messages, initialMessages, responseMessages }) {
      isCumulative = responseMessages === undefined;
      if (isFirst) initial = [...(initialMessages ?? messages)];
      isFirst = false;
      last = [];
      soFar = responseMessages ? [...initial, ...responseMessages] : [...messages];
    },
    request({ prompt }) {
      isAsked = true;
      if (system.length > 0) return;
      system = prompt.flatMap((message) =>
        message.role === "system" ? [{ role: "system" as const, content: message.content }] : [],
      );
    },
    answer(content) {
      const said = content.map(({ type, text = "" }) => (type === "text" ? text : "")).join("");
      const isCalling = content.some(({ type }) => type === "tool-call");
      last = said === "" || isCalling ? [] : [{ role: "assistant", content: said }];
    },
    broken(given) {
      isBroken = given;
    },
    all(responses) {
      const own = initial.filter(({ role }) => role !== "system");
      // Before version 7, the last response holds those of all steps.
      const added = responses && (isCumulative ? (responses.at(-1) ?? []) : responses.flat());
      // The response of the last step holds what broke off.
      if (added && !isBroken) return [...system, ...own, ...added];
      return [...system, ...soFar.filter(({ role }) => role !== "system"), ...last];
    },
  };
}
