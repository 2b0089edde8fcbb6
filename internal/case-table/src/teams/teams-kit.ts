/** The agents of a team: both have a tool `search`, each its own. */
export type Member = "ann" | "ben";

/** A call as an agent's model makes it. */
interface TeamCall {
  readonly id: string;
  /** `search`, or `ask_ann` and `ask_ben` of the lead. */
  readonly name: string;
  /** The arguments as JSON. */
  readonly arguments: string;
}

/** The next message of a model that has read these answers to its last calls: calls, or words if there are none. */
export type NextMessage = (read: readonly string[]) => readonly TeamCall[];

/** What a search does once it runs; each member's takes one string, `words` or `query`. */
type Search = (member: Member) => string;

/** The argument of each member's search. */
export const ARGUMENT: Readonly<Record<Member, "words" | "query">> = { ann: "words", ben: "query" };

/** How a host makes agents that share one contract. */
export interface TeamsKit<Contract> {
  readonly createContract: (options: {
    readonly maxAttempts: number;
    readonly scope: "run" | "thread";
    readonly logger: () => void;
  }) => Contract;
  /** Sets up a lead with a tool for each member; `run` answers one user. */
  readonly createTeam: (
    contract: Contract,
    search: Search,
  ) => { run(models: Readonly<Record<"lead" | Member, NextMessage>>): Promise<unknown> };
  /** Sets up Ann alone, in a chat whose history is kept; `send` is one request of its user. */
  readonly createChat: (
    contract: Contract,
    search: Search,
  ) => { send(next: NextMessage): Promise<unknown> };
}
