import type { Escalation, JsonSchema } from "@toolcontract/core";
import type { Escalate } from "@toolcontract/langchain";
import type { z } from "zod";
import type { Claim } from "../assertions.ts";
import type { Scenario, Scene } from "../scenario.ts";
import type { ModelTurn } from "../scripted-model.ts";
import type { Shop } from "../shop/shop.ts";

/** A tool as plain data, so that a scenario can be listed without loading LangChain. */
export interface PlainTool {
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodType | JsonSchema;
  readonly run: (input: never) => string;
}

/** A scenario that runs in the real LangChain, with and without the contract. */
export interface AgentScenario extends Omit<Scenario, "compareValid" | "play" | "verify"> {
  /** What runs the loop: `createAgent` by default, or a graph with a `ToolNode`. */
  readonly runs?: "createAgent" | "ToolNode";
  /** The tools, or those of the official filesystem server through LangChain's own MCP client. */
  readonly tools:
    | readonly PlainTool[]
    | "filesystem server"
    | ((shop: Shop) => readonly PlainTool[]);
  /** Opens the shop of one run, if the tools are those of a shop; with guardrails if it runs with the contract. */
  readonly openShop?: (hasContract: boolean) => Shop;
  /** What the middleware does when the attempts are used up; by default it ends the run. */
  readonly escalate?: Escalate;
  /** What a person answers when the run is interrupted. */
  readonly person?: unknown;
  verify(scene: AgentScene, claim: Claim): void;
}

/** The answer to a call, as the model reads it. */
interface ToolAnswer {
  readonly text: string;
  readonly status: string | undefined;
}

/** The outcome of one side of a scene. */
export interface AgentRun {
  readonly turns: readonly ModelTurn[];
  /** How often the model was asked. */
  readonly requests: number;
  /** The answers by the id of the call. */
  readonly answers: ReadonlyMap<string, ToolAnswer>;
  /** The arguments that reached a tool or a server. */
  readonly reached: readonly unknown[];
  /** The text of the last message. */
  readonly last: string;
  readonly escalation: Escalation | undefined;
  /** What the application got when the run waited for a person. */
  readonly interrupts: readonly unknown[];
  /** What the run threw instead of returning an answer. */
  readonly thrown?: Error;
}

/** What happened on both sides. */
export interface AgentScene extends Scene {
  readonly withContract: AgentRun;
  readonly withoutContract: AgentRun;
}
