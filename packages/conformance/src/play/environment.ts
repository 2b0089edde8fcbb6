import type { Api } from "../shared/index.ts";

/** What a program under test finds in its environment. */
export interface KitEnvironment {
  /** Where the model is; ends in `/v1`. */
  readonly KIT_BASE_URL: string;
  /** A JSON file with the tools: a list of `{ name, description, parameters }`. */
  readonly KIT_TOOLS: string;
  /** A tool that runs reports it here: POST `{ name, arguments }`. The answer is the tool's result. */
  readonly KIT_RAN_URL: string;
  /** Programs with approvals ask a person here: POST `{ name, arguments }`. The answer is `{ "approved": true }`. */
  readonly KIT_APPROVE_URL: string;
  /** A JSON file with the JSON Schema of the final answer; empty if there is none, as always below L5. */
  readonly KIT_ANSWER: string;
  /** A program that takes the schema reports its final answer here: POST the value, as JSON. */
  readonly KIT_ANSWERED_URL: string;
  /** What the user says. */
  readonly KIT_PROMPT: string;
  /** The id of the scenario. */
  readonly KIT_SCENARIO: string;
  /** The wire format, as `--api` names it. */
  readonly KIT_API: Api;
  /** `"1"` if the program should ask for streams, otherwise empty. */
  readonly KIT_STREAM: "" | "1";
}
