/** A tool as a program finds it in the file named by `KIT_TOOLS`. */
export interface KitTool {
  readonly name: string;
  /** What it does, for the model. */
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** True if a person must allow each call; a program that has approvals asks at `KIT_APPROVE_URL`. */
  readonly needsApproval?: boolean;
}

/** What a model does in one run, and what a tool layer should do about it. */
export interface Scenario {
  /** Lower case with hyphens; never renamed, because files of expected failures name it. */
  readonly id: string;
  /** What is wrong, in a few words. */
  readonly title: string;
  /** What the user says. */
  readonly prompt: string;
  readonly tools: readonly KitTool[];
  /** JSON Schema of the final answer, if the run has to end with one; such a scenario is of L5. */
  readonly answer?: Readonly<Record<string, unknown>>;
  /** The model's messages, oldest first; after them it reports that it is done. */
  readonly turns: readonly ScenarioTurn[];
  /** Strings that no answer to a refused call may contain. */
  readonly secrets?: readonly string[];
  /** The greatest length of an answer to a refused call, in characters. */
  readonly maxAnswer?: number;
}

/** One message of the model. */
export interface ScenarioTurn {
  /** What the model says beside its calls. */
  readonly text?: string;
  /** Its calls, which a program may run at the same time; none if its text is the final answer. */
  readonly calls: readonly ScenarioCall[];
  /** What has to come of its text as the final answer. */
  readonly answer?: ScenarioAnswer;
  /** `"length"` if the output ended at the limit of tokens. */
  readonly finish?: "length";
  /** True if the connection breaks in the middle of the message; such a scenario is played in streams only. */
  readonly drops?: boolean;
  /**
   * How often the model sends the message, if it never learns.
   *
   * @default once
   */
  readonly times?: number;
  /**
   * True if the model sends it only for as long as it may call a tool. A later request that lets it call none it answers in
   * words, and has nothing more to say.
   */
  readonly whileOffered?: boolean;
  /** True if the run may end here as well as go on. */
  readonly mayEnd?: boolean;
}

/** A final answer: `"fits"` ends the run, and one that is `"refused"` has what is wrong with it, as a call does. */
export interface ScenarioAnswer extends Pick<ScenarioCall, "faults" | "unreadable"> {
  /** Whether it fits its schema. */
  readonly expect: "fits" | "refused";
}

/** A tool call as the model writes it. */
export interface ScenarioCall {
  /** The tool's name as the model writes it. */
  readonly tool: string;
  /** The arguments as the model writes them, which need not be JSON. */
  readonly arguments: string;
  /** The call's id, if the id is what is odd about it; otherwise the kit gives it a new one. */
  readonly id?: string;
  /** `"either"` if running it with one of `runsWith` is as good as refusing it. */
  readonly expect: "runs" | "refused" | "either";
  /**
   * The arguments that the tool may get.
   *
   * @default those that were sent
   */
  readonly runsWith?: readonly unknown[];
  /** The tool that may run in place of an unknown one. */
  readonly runsAs?: string;
  /** What is wrong with it, if it is refused. */
  readonly faults?: readonly ScenarioFault[];
  /** How it cannot be read: `"cut"` ends too early, `"syntax"` is not JSON. */
  readonly unreadable?: "cut" | "syntax";
  /** The name that the answer to an unknown tool must give. */
  readonly nearest?: string;
  /** Digits that must reach the tool unchanged if it runs. */
  readonly digits?: string;
  /** The code and pointer of each error in a message of Toolcontract's format, such as `VAL-002 /city`. */
  readonly codes?: readonly string[];
}

/** One faulty field. */
export interface ScenarioFault {
  /** The names that the answer must contain: of the field, and of the item of a list. */
  readonly names: readonly string[];
  /** What the answer must say is allowed; any one of an inner list is enough. */
  readonly says: readonly (readonly string[])[];
}
