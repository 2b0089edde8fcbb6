// What is used of Mastra's models and tools. Its own types differ from one version of the AI SDK's models to the next.

/** A part of a model's stream; only calls and the end are read. */
export interface StreamPart {
  readonly type: string;
  /** The call, of the parts in which its arguments arrive. */
  readonly id?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  /** What arrives of a text. */
  readonly delta?: string;
  /** The arguments as the model wrote them. */
  readonly input?: string;
  /** True if the provider runs the tool itself. */
  readonly providerExecuted?: boolean;
  /** Why the output ended: the provider's word, or that beside the SDK's own. */
  readonly finishReason?: string | { readonly unified?: string };
}

/** A message of a prompt. */
export interface PromptMessage {
  readonly role: string;
  readonly content: string | readonly PromptPart[];
}

/** A part of a message; only calls and results are read. */
export interface PromptPart {
  readonly type: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly output?: { readonly type: string; readonly value?: unknown };
}

/** What a model is asked. */
export interface PromptRequest {
  readonly prompt: readonly PromptMessage[];
  readonly tools?: readonly {
    readonly type: string;
    readonly name: string;
    readonly inputSchema?: object;
  }[];
  readonly toolChoice?: { readonly type: string; readonly toolName?: string };
  readonly abortSignal?: AbortSignal;
  /** What the answer must be, if it is structured. */
  readonly responseFormat?: { readonly type: string; readonly schema?: object };
}

/** A model as Mastra has it once it is resolved: its answer is a stream, also where nobody asked for one. */
export interface AnyModel {
  doGenerate(request: PromptRequest): PromiseLike<ModelAnswer>;
  doStream(request: PromptRequest): PromiseLike<ModelAnswer>;
}

/** What a model answers. */
export interface ModelAnswer {
  readonly stream: ReadableStream<StreamPart>;
}

/** A tool of an agent, made by `createTool` or by the AI SDK's `tool`. */
export interface MastraTool {
  readonly id?: string;
  readonly inputSchema?: unknown;
  readonly execute?: (input: unknown, context?: ToolContext) => unknown;
  readonly requireApproval?: boolean | Approval;
  readonly needsApprovalFn?: Approval;
  readonly needsApproval?: boolean | Approval;
}

/** Says whether a person must allow a call. */
export type Approval = (input: unknown, context?: unknown) => unknown;

/** The part of a tool's context that names its call. */
export interface ToolContext {
  readonly toolCallId?: string;
  readonly runId?: string;
  readonly agent?: { readonly toolCallId?: string; readonly resumeData?: unknown };
}
