/**
 * How much a tool layer does about a bad call. L4 is the format of Toolcontract's own messages, L5 the final structured answer: a
 * program takes its schema or does not.
 */
export type Level = "L1" | "L2" | "L3" | "L4" | "L5";

/** The levels, the most important first. */
export const LEVELS: readonly Level[] = ["L1", "L2", "L3", "L4", "L5"];

/** What each level is about. */
export const LEVEL_NAMES: Readonly<Record<Level, string>> = {
  L1: "survives",
  L2: "tells",
  L3: "protects",
  L4: "Toolcontract's format",
  L5: "final answer",
};

/** The id of a sentence of the specification; it never changes its meaning. */
export type ClauseId =
  | "survives"
  | "schema-holds"
  | "half-never-runs"
  | "valid-runs"
  | "siblings-run"
  | "corrected-runs"
  | "answers-match"
  | "result-intact"
  | "names-fields"
  | "says-allowed"
  | "says-syntax"
  | "says-cut"
  | "offers-name"
  | "loop-ends"
  | "ends-in-words"
  | "no-secret"
  | "bounded-answer"
  | "flags-error"
  | "exact-numbers"
  | "readable-history"
  | "nobody-asked"
  | "format"
  | "codes"
  | "answer-fits"
  | "answer-told"
  | "answer-ends";

/** A sentence of the specification "What a tool layer should do with a bad call". */
export interface Clause {
  readonly id: ClauseId;
  readonly level: Level;
  /** What a tool layer should do, in one sentence. */
  readonly sentence: string;
}

const SENTENCES: Readonly<Record<ClauseId, readonly [Level, string]>> = {
  survives: ["L1", "A bad call never ends the run: the model gets an answer and is asked again."],
  "schema-holds": ["L1", "A tool never runs with arguments that its schema forbids."],
  "half-never-runs": ["L1", "A call that was cut never runs, even if the rest can be guessed."],
  "valid-runs": ["L1", "A valid call runs once, with the arguments that were sent."],
  "siblings-run": ["L1", "The valid calls beside a bad one run."],
  "corrected-runs": ["L1", "A call that was refused and comes back corrected runs."],
  "answers-match": ["L1", "Each call gets one answer, and it is the answer to that call."],
  "result-intact": ["L1", "The model reads what the tool returned."],
  "names-fields": ["L2", "The answer names every faulty field, not only the first."],
  "says-allowed": ["L2", "The answer says what is allowed: the type, the values, the limit."],
  "says-syntax": ["L2", "If the arguments are not JSON, the answer says so."],
  "says-cut": ["L2", "If the arguments were cut, the answer says so."],
  "offers-name": ["L2", "The answer to a tool that does not exist gives the name that was meant."],
  "loop-ends": [
    "L3",
    "A call that keeps failing ends: by the tenth, the model is told to stop, or the run is over.",
  ],
  "ends-in-words": [
    "L3",
    "A model that never learns is asked for words by the tenth request, and the run ends with them.",
  ],
  "no-secret": ["L3", "The answer repeats no secret that the model sent."],
  "bounded-answer": ["L3", "The answer is short, however much was sent."],
  "flags-error": ["L3", "The answer is marked as an error if the protocol has a mark."],
  "exact-numbers": ["L3", "A number that cannot be kept exactly is refused, never changed."],
  "readable-history": ["L3", "What could not be read is not sent on to the provider as it was."],
  "nobody-asked": ["L3", "Nobody is asked to approve a call that cannot run."],
  format: ["L4", "The answer is a message in Toolcontract's format, with the attempt counted."],
  codes: ["L4", "The message has the code and the pointer of every fault."],
  "answer-fits": ["L5", "The run ends with the answer that fits its schema, and with no other."],
  "answer-told": [
    "L5",
    "An answer that does not fit is asked for again, with every faulty field and what is allowed.",
  ],
  "answer-ends": ["L5", "An answer that never fits ends: by the tenth, the run is over."],
};

/** The specification, by level. */
export const CLAUSES: readonly Clause[] = Object.entries(SENTENCES).map(
  ([id, [level, sentence]]) => ({ id: id as ClauseId, level, sentence }),
);

const byId = new Map(CLAUSES.map((clause) => [clause.id, clause]));

/** The sentence with an id. */
export function clauseOf(id: ClauseId): Clause {
  const clause = byId.get(id);
  if (clause === undefined) throw new Error(`No clause ${id}`);
  return clause;
}
