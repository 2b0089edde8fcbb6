/** A part of an answer of the AI SDK's language models, in any of its versions. */
interface AnswerPart {
  readonly type: string;
}

/** What is read of a part. */
interface ReadPart extends AnswerPart {
  readonly id?: string;
  readonly text?: string;
  readonly delta?: string;
  readonly providerExecuted?: boolean;
  readonly finishReason?: unknown;
}

const CALLS: readonly string[] = [
  "tool-call",
  "tool-input-start",
  "tool-input-delta",
  "tool-input-end",
];

/** Why an answer ended, if its calls were taken out: a word, or an object in newer versions. */
export function endedInWords(reason: unknown): unknown {
  return typeof reason === "object" ? { ...reason, unified: "stop" } : "stop";
}

/** The content of an answer without calls; with words of ours if it has none of its own. */
export function contentInWords<TPart extends AnswerPart>(
  content: readonly TPart[],
  words: string,
): readonly TPart[] {
  const left = content.filter((part) => !isOwnCall(part));
  if (left.length === content.length) return content;
  const hasText = left.some((part) => (part as ReadPart).text?.trim());
  return hasText ? left : [...left, { type: "text", text: words } as unknown as TPart];
}

/** The same for an answer that is streamed. */
export function streamInWords<TPart extends AnswerPart>(
  words: string,
): TransformStream<TPart, TPart> {
  let hasText = false;
  let hasCalled = false;
  // Later parts of a call do not say who runs it.
  const others = new Set<string | undefined>();
  return new TransformStream({
    transform(part, controller) {
      const { type, id, delta, providerExecuted, finishReason }: ReadPart = part;
      if (providerExecuted === true) others.add(id);
      if (isOwnCall(part) && !others.has(id ?? "")) {
        hasCalled = true;
        return;
      }
      if (type === "text-delta" && delta?.trim()) hasText = true;
      if (type !== "finish" || !hasCalled) {
        controller.enqueue(part);
        return;
      }
      const own = hasText ? [] : textParts(words);
      for (const one of [...own, { ...part, finishReason: endedInWords(finishReason) }])
        controller.enqueue(one as unknown as TPart);
    },
  });
}

/** A text as the parts of a stream. */
export function textParts(delta: string, id = "toolcontract"): readonly TextPart[] {
  return [
    { type: "text-start", id },
    { type: "text-delta", id, delta },
    { type: "text-end", id },
  ];
}

/** A part of streamed text. */
type TextPart = TextEdge | TextDelta;

interface TextEdge {
  /** Whether the text begins or ends. */
  readonly type: "text-start" | "text-end";
  /** The id of the text. */
  readonly id: string;
}

interface TextDelta {
  /** More of the text. */
  readonly type: "text-delta";
  /** The id of the text. */
  readonly id: string;
  /** What is added. */
  readonly delta: string;
}

function isOwnCall(part: AnswerPart): boolean {
  return CALLS.includes(part.type) && (part as ReadPart).providerExecuted !== true;
}
