import type { Claim } from "../assertions.ts";
import type { McpServer } from "../mcp-server.ts";
import type { Scenario, Scene } from "../scenario.ts";

/** The outcome of a call of a server. */
export type McpResult = Awaited<ReturnType<McpServer["call"]>>;

/** A scenario that the official client plays, with and without the proxy. */
export interface McpScenario extends Omit<
  Scenario,
  "compareValid" | "options" | "play" | "verify"
> {
  /** Flags of the proxy. */
  readonly flags?: readonly string[];
  /** The arguments that the same model sends without the proxy, turn by turn, if they are others. */
  readonly alone?: readonly Readonly<Record<string, unknown>>[];
  /** The server: a Node script with arguments. */
  readonly server: (folder: string) => readonly string[];
  verify(scene: McpScene, claim: Claim): void;
}

/** What the client got on both sides, call by call. */
export interface McpScene extends Scene {
  readonly withProxy: readonly McpResult[];
  readonly withoutProxy: readonly McpResult[];
  /** What the server answered to the calls of a model alone with it. */
  readonly alone: readonly McpResult[];
}
