// The subjects of new commits: an imperative verb and its object, readable without the diff.
import { runCommand, type Tally } from "./run.ts";

/** The last commit before the rule. */
const BEFORE = "e562009a79c8a082988da486b19489dc1281ce3d";
const LONGEST = 72;
const SCOPE = /^[a-z]+(?:\([\w,./-]+\))?!?: /;

/** The verbs of subjects; add one that is missing. */
const VERBS = new Set(
  `accept add admit adopt align allow answer apply ask assert attack avoid base bind bound break build bump call cap change check choose close
  collapse collect compare compute convert correct count cover cut declare decide default define delete derive describe detect
  disable document don't draw drop enable encode end enforce ensure escape estimate exclude expand expect explain export expose extend extract
  fall fill find finish fix flag fold follow forbid format free freeze gate generate give grade group guard handle hide hint hold honor
  ignore implement import include infer inline inspect install join judge keep key kill label land leave let lift limit link lint list load lock
  log look lower make map mark mask match measure memoize merge mock move mutate name narrow normalize offer open order pack parse pass
  pin point port prefer prepare prevent print prove publish put quote raise read rebuild record redact reduce refuse regenerate
  register reject refer release relax remove rename reorder repair repeat replace report require reserve reset resolve restore retry
  return reuse revert review rework rewrite round run save say search separate serialize serve set share shorten show shrink
  simplify skip sort source spare send speak specify spell split start state stop store stream strip support swap switch take teach tell
  test throw tidy tie tighten time touch trace track treat trim try turn type unify update upgrade use validate verify wait walk
  warn watch widen wire wrap write`.split(/\s+/),
);

/** What is wrong with a subject, in words; undefined if nothing is. */
export function subjectFault(subject: string): string | undefined {
  if (/^(Merge|Revert) /.test(subject)) return undefined;
  if (subject.length > LONGEST) return `is ${subject.length} characters long; at most ${LONGEST}`;
  const words = subject.replace(SCOPE, "");
  const [verb = ""] = words.split(" ");
  if (!VERBS.has(verb.toLowerCase())) {
    return `begins with "${verb}", which is not a verb that scripts/gates/commit-subjects.ts knows`;
  }
  return words.includes(" ") ? undefined : "has no object";
}

/** Checks the subjects of the commits since the rule; a checkout without that history is not checked. */
export async function runCommitSubjects(): Promise<Tally> {
  const command = `git log --no-merges --format=%h%x20%s ${BEFORE}..HEAD`;
  const { ok, stdout } = await runCommand(command, { keepsOutput: true });
  if (!ok) return { passed: 1, failed: 0, detail: "the history is not here" };
  const commits = stdout.split("\n").filter((line) => line !== "");
  const failures = commits.flatMap((line) => {
    const [hash = "", subject = ""] = line.split(/ (.*)/s);
    const fault = subjectFault(subject);
    return fault === undefined ? [] : [`${hash} "${subject}" ${fault}`];
  });
  const failed = failures.length > 0 ? 1 : 0;
  return { passed: 1 - failed, failed, failures, detail: `${commits.length} commits` };
}
