/** Which guardrail asks a person, and why. */
export interface AskReason {
  /** Its name. */
  readonly guardrail: string;
  /** The guardrail's own message. */
  readonly why: string;
}

/** What a guardrail asks a person before a call may run: plain JSON, which may wait and go to another process. */
export interface AskRequest {
  /** Unique among all requests. */
  readonly id: string;
  /** The tool's name. */
  readonly tool: string;
  /** The arguments that the tool would get, for the person who decides: as JSON, and not masked. */
  readonly arguments: unknown;
  /** Which guardrails ask, and why. */
  readonly reasons: readonly AskReason[];
  /** The provider's id of the call. */
  readonly callId: string;
  /** The conversation in which the call was made. */
  readonly conversationId?: string;
  /** The user it was made for, if the host named one. */
  readonly user?: string;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
  /** Identifies tool, arguments and scope. */
  readonly digest: string;
  /** Proves that nothing of it was changed. */
  readonly seal: string;
}
