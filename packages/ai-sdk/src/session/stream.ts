import type {
  LanguageModelV4Content,
  LanguageModelV4StreamPart as StreamPart,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider";
import { onAbort } from "@toolcontract/core/adapter";
import { type TargetRequest, ProviderError } from "@toolcontract/session";
import { messageOf } from "@toolcontract/session/adapter";
import { reasonForLoop } from "./finish-reason.ts";
import { createReplyReader, isReadable, isWithoutArguments, type ReplyReader } from "./reply.ts";
import { isSdkTimeout } from "./sdk-timeout.ts";
import type { Correct } from "./correction.ts";
import type { ResolvedTarget } from "./targets.ts";

/** The parts of an answer, until its end or the caller's abort. */
interface Parts {
  /** @throws ProviderError if there is none left, or what the caller's signal was aborted with. */
  read(): Promise<StreamPart>;
  /** Ends the stream, whether or not it has ended. */
  cancel(reason?: unknown): Promise<void>;
}

/** An answer that is read part by part. */
interface StreamedAnswer {
  readonly attempt: TargetRequest<ResolvedTarget>;
  readonly parts: Parts;
  readonly reply: ReplyReader;
  /** Whether the caller asked for the provider's own events. */
  readonly hasRaw: boolean;
  /** The verdict, once the answer has ended. */
  verdict: "complete" | "continue" | undefined;
}

/** A stream of which enough was read to know that its attempt is not repeated unseen. */
export interface Peeked extends StreamedAnswer {
  /** The answer without its stream. */
  readonly rest: Omit<LanguageModelV4StreamResult, "stream">;
  /** What was read and is still to be passed on. */
  readonly held: readonly StreamPart[];
}

/**
 * Reads a stream until it holds something for the user, or to its end.
 *
 * @throws What the stream failed with, and ProviderError for an answer that is to be repeated.
 */
export async function peek(
  stream: ReadableStream<StreamPart>,
  rest: Peeked["rest"],
  attempt: TargetRequest<ResolvedTarget>,
  { correct, hasRaw }: { readonly correct: Correct; readonly hasRaw: boolean },
): Promise<Peeked> {
  const parts = readParts(stream, attempt, correct);
  const held: StreamPart[] = [];
  const reply = createReplyReader({ streamed: true });
  const peeked: Peeked = { attempt, rest, held, parts, reply, hasRaw, verdict: undefined };
  try {
    while (peeked.verdict === undefined && !held.some((part) => releases(part, attempt.release))) {
      held.push(...(await takeParts(peeked)));
    }
    return peeked;
  } catch (thrown) {
    // Nobody reads the rest.
    void parts.cancel(thrown);
    throw thrown;
  }
}

/**
 * Takes the next part. A call that cannot be read, or has no arguments, may have been cut, which only the end of the answer
 * says: it comes with all that follows, or not at all.
 *
 * @throws What the stream failed with, and ProviderError for an answer that is to be repeated.
 */
async function takeParts(answer: StreamedAnswer): Promise<readonly StreamPart[]> {
  const { attempt, parts, reply, hasRaw } = answer;
  const taken: StreamPart[] = [];
  let isHeld = false;
  for (;;) {
    const part = await parts.read();
    if (part.type === "error") throw part.error;
    reply.read(part);
    if (part.type === "raw") {
      // A ping, or a thought that nobody is shown.
      attempt.alive();
      if (!hasRaw) continue;
    }
    if (part.type === "finish") {
      const facts = reply.facts();
      answer.verdict = attempt.end(facts);
      void parts.cancel();
      return [...taken, { ...part, finishReason: reasonForLoop(part.finishReason, facts) }];
    }
    taken.push(part);
    if (part.type === "tool-call" && part.providerExecuted !== true) {
      const { toolCallId: id, toolName: name, input } = part;
      isHeld ||= !isReadable(input) || isWithoutArguments(input);
      // The end notes the calls that are held.
      if (!isHeld) attempt.call({ id, name });
    }
    if (!isHeld) return taken;
  }
}

/** Whether a part is something that a repeated attempt would not take back. */
function releases(part: StreamPart, release: TargetRequest<unknown>["release"]): boolean {
  switch (part.type) {
    case "tool-call":
    case "tool-input-start":
    case "tool-approval-request":
      return true;
    case "text-delta":
      return release !== "call" && part.delta.trim() !== "";
    case "reasoning-delta":
      return release === "any" && part.delta.trim() !== "";
    case "file":
    case "source":
      return release === "any";
    default:
      return false;
  }
}

/**
 * Passes a stream on; an answer of reasoning alone is followed by that of the next turn.
 *
 * @param onBroken - Called if the stream fails: what was passed on is not an answer.
 */
export function passOn(
  first: Peeked,
  ask: (thoughts: readonly LanguageModelV4Content[]) => Promise<Peeked>,
  onBroken: () => void,
): ReadableStream<StreamPart> {
  const thoughts: LanguageModelV4Content[] = [];
  let current = first;
  let queued = [...first.held];

  async function next(): Promise<StreamPart | undefined> {
    for (;;) {
      const part = queued.shift();
      if (part === undefined) {
        if (current.verdict !== undefined) return undefined;
        queued.push(...(await takeParts(current)));
      } else if (part.type !== "finish" || current.verdict === "complete") {
        return part;
      } else {
        // Only reasoning, or a pause: the next turn goes on in the same stream.
        thoughts.push(...current.reply.said());
        current = await ask(thoughts);
        queued = current.held.filter(({ type }) => type !== "stream-start");
      }
    }
  }

  return new ReadableStream<StreamPart>({
    async pull(controller) {
      try {
        const part = await next();
        if (part === undefined) controller.close();
        else controller.enqueue(part);
      } catch (thrown) {
        current.attempt.fail(thrown);
        void current.parts.cancel(thrown);
        onBroken();
        // As a part: after an error of the stream itself, version 7 does not ask again, and version 5 never ends.
        controller.enqueue({ type: "error", error: thrown });
        controller.close();
      }
    },
    async cancel(reason) {
      current.attempt.fail(
        isSdkTimeout(reason)
          ? new ProviderError("timeout", messageOf(reason), { cause: reason })
          : new ProviderError("aborted", "The stream was cancelled", { cause: reason }),
      );
      await current.parts.cancel(reason);
    },
  });
}

/** Whether a part says something of the answer; a provider sends the others before the model has begun. */
function hasContent({ value }: { readonly value?: StreamPart | undefined }): boolean {
  return value !== undefined && !PRELUDE.has(value.type);
}

const PRELUDE: ReadonlySet<StreamPart["type"]> = new Set([
  "stream-start",
  "response-metadata",
  "raw",
]);

/** Reads a stream that may never end: its time or the caller's abort ends it. */
function readParts(
  stream: ReadableStream<StreamPart>,
  attempt: TargetRequest<ResolvedTarget>,
  correct: Correct,
): Parts {
  const { signal } = attempt;
  const reader = stream.getReader();
  const cancel = async (reason?: unknown): Promise<void> => {
    leave();
    await reader.cancel(reason).catch(() => undefined);
  };
  const leave = onAbort(signal, () => void cancel(signal.reason));
  if (signal.aborted) void cancel(signal.reason);
  return {
    cancel,
    async read() {
      const { done, value } = await attempt.read(async () => reader.read(), hasContent);
      if (!done) return correct(value);
      signal.throwIfAborted();
      throw new ProviderError("network", "The stream ended before the answer did");
    },
  };
}
