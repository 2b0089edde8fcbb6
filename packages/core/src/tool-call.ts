/** A tool call as the model made it. */
export interface ToolCall {
  /** The provider's id of this call; the answer carries the same one. */
  readonly id: string;
  /** The tool's name, as the model wrote it. */
  readonly name: string;
  /** The arguments as the model sent them: JSON text, or an already parsed value. */
  readonly arguments: unknown;
  /** The text from which the host made `arguments`, where it parsed or completed them itself. */
  readonly rawText?: string;
}
