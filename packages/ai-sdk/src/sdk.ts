// Types of the SDK for which it exports no name.
import type { ModelMessage, ToolSet } from "ai";

/** A tool of any input and output. */
export type SdkTool = ToolSet[string];

/** What the SDK passes to a tool's function besides its input. */
export type ExecuteOptions = Parameters<NonNullable<SdkTool["execute"]>>[1];

/** A tool's own function that writes its result for the model. */
export type ToModelOutput = NonNullable<SdkTool["toModelOutput"]>;

/** A result as the model gets it. */
export type ModelOutput = Awaited<ReturnType<ToModelOutput>>;

/** A conversation. */
export type Messages = readonly ModelMessage[];
