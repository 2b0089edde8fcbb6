import { readFile } from "node:fs/promises";
import type { KitEnvironment } from "../play/index.ts";
import type { KitTool } from "../shared/index.ts";
import { finalAnswers } from "./final-answer.ts";
import { findFaults } from "./find-faults.ts";
import type { LoopAnswer, LoopCall } from "./model-client.ts";
import { clientOf } from "./clients.ts";
import { nearName } from "./near-name.ts";
import { readArguments } from "./read-arguments.ts";

/** One thing that a loop does wrong, each against one clause. */
export type Flaw =
  | "dies"
  | "does-not-validate"
  | "completes-cut-calls"
  | "drops-siblings"
  | "runs-twice"
  | "refuses-corrections"
  | "answers-twice"
  | "hides-results"
  | "names-one-field"
  | "says-no-limits"
  | "says-nothing-of-json"
  | "says-nothing-of-cuts"
  | "offers-no-name"
  | "never-stops"
  | "never-asks-for-words"
  | "repeats-secrets"
  | "repeats-everything"
  | "marks-nothing"
  | "rounds-numbers"
  | "keeps-broken-text"
  | "asks-before-checking"
  | "takes-any-answer"
  | "says-nothing-of-answers"
  | "asks-for-ever";

const WORDS = {
  cut: "The arguments are cut off.",
  syntax: "The arguments are not JSON.",
  inexact: "A number has more digits than can be kept.",
  hidden: "Invalid arguments.",
} as const;
const HIDING = {
  cut: "says-nothing-of-cuts",
  syntax: "says-nothing-of-json",
  inexact: undefined,
} as const;
const TRIES = 3;
const MOST_TURNS = 40;

/** A loop as an application would write it, good by the kit's own specification; with a flaw, good but for that. */
export async function runLoop(environment: KitEnvironment, flaw?: Flaw): Promise<void> {
  const { KIT_TOOLS, KIT_RAN_URL, KIT_APPROVE_URL } = environment;
  const tools = JSON.parse(await readFile(KIT_TOOLS, "utf8")) as readonly KitTool[];
  const client = clientOf(environment, tools);
  const judgeAnswer = await finalAnswers(environment, flaw);
  const failures = new Map<string, number>();

  async function report(url: string, name: string, input: string): Promise<string> {
    // The arguments as they came: JSON.stringify would round what JSON.parse has rounded.
    const body = `{"name":${JSON.stringify(name)},"arguments":${input}}`;
    return (await fetch(url, { method: "POST", body })).text();
  }

  async function run(tool: KitTool, text: string): Promise<string> {
    if (tool.needsApproval) await report(KIT_APPROVE_URL, tool.name, text);
    if (flaw === "runs-twice") await report(KIT_RAN_URL, tool.name, text);
    const result = await report(KIT_RAN_URL, tool.name, text);
    return flaw === "hides-results" ? "ok" : result;
  }

  async function answerTo(
    call: LoopCall,
    calls: number,
    failed: readonly string[],
  ): Promise<Judged> {
    const isSecondTry = failed.includes(nearName(call.name, failed) ?? "");
    const read = readArguments(call.text, flaw);
    const input = read.kind === "read" ? read.value : {};
    const refuse = (text: string): Judged => {
      if (flaw === "dies") throw new Error(`Invalid call of ${call.name}`);
      const count = (failures.get(call.name) ?? 0) + 1;
      failures.set(call.name, count);
      const isStopped = count >= TRIES && flaw !== "never-stops";
      const stop = isStopped ? "\nStop: do not call it again." : "";
      const answer = withEcho(`${text}${stop}`, call.text, flaw);
      return { input, text: answer, isError: flaw !== "marks-nothing", isStopped };
    };
    const tool = tools.find(({ name }) => name === call.name);
    if (tool === undefined) {
      const names = tools.map(({ name }) => name);
      const near = flaw === "offers-no-name" ? undefined : nearName(call.name, names);
      return refuse(`There is no such tool.${near === undefined ? "" : ` Call ${near}.`}`);
    }
    if (flaw === "asks-before-checking" && tool.needsApproval) {
      await report(KIT_APPROVE_URL, tool.name, JSON.stringify(input));
    }
    if (read.kind !== "read")
      return refuse(WORDS[flaw !== undefined && flaw === HIDING[read.kind] ? "hidden" : read.kind]);
    const faults = flaw === "does-not-validate" ? [] : findFaults(tool.parameters, input);
    if (faults.length > 0) {
      return refuse(read.isCompleted ? WORDS.cut : wordsOf(faults, flaw));
    }
    if (flaw === "drops-siblings" && calls > 1) return refuse("Not run: another call is bad.");
    if (flaw === "refuses-corrections" && isSecondTry) return refuse("Too late.");
    failures.delete(tool.name);
    return { input, text: await run(tool, read.text), isError: false, isStopped: false };
  }

  let mayCall = true;
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const reply = await client.ask(mayCall);
    if (reply.calls.length === 0) {
      const told = await judgeAnswer(reply.text, reply.isCut);
      if (told === undefined) return;
      client.say(reply.text, told);
      continue;
    }
    const calls = reply.calls.map((call, index) => ({
      ...call,
      id: call.id === "" ? `own_${turn}_${index}` : call.id,
    }));
    const judged: Judged[] = [];
    const failed = [...failures.keys()];
    for (const call of calls) judged.push(await answerTo(call, calls.length, failed));
    const kept = calls.map((call, index) => {
      const readable = JSON.stringify(judged[index]?.input);
      return { ...call, text: flaw === "keeps-broken-text" ? call.text : readable };
    });
    const answers = calls.map(({ id, name }, index): LoopAnswer => {
      const { text = "", isError = true } = judged[index] ?? {};
      return { id, name, text, isError };
    });
    mayCall = flaw === "never-asks-for-words" || judged.some(({ isStopped }) => !isStopped);
    const twice = flaw === "answers-twice" ? answers : [];
    client.add(reply.text, kept, [...answers, ...twice]);
  }
}

interface Judged {
  readonly input: unknown;
  readonly text: string;
  readonly isError: boolean;
  /** Whether it was told not to call again. */
  readonly isStopped: boolean;
}

/** At most ten faults: a list of forty would be longer than anybody reads. */
function wordsOf(faults: ReturnType<typeof findFaults>, flaw: Flaw | undefined): string {
  const shown = flaw === "names-one-field" ? faults.slice(0, 1) : faults.slice(0, 10);
  const lines = shown.map(({ field, allowed }) =>
    flaw === "says-no-limits" ? field : `${field}: ${allowed}`,
  );
  const rest = flaw === "says-no-limits" ? "" : allowedOf(faults, flaw);
  return [...lines, rest].join("\n");
}

/** A loop that names one field only still says what is allowed in all of them. */
function allowedOf(faults: ReturnType<typeof findFaults>, flaw: Flaw | undefined): string {
  return flaw === "names-one-field" ? faults.map(({ allowed }) => allowed).join(", ") : "";
}

function withEcho(answer: string, sent: string, flaw: Flaw | undefined): string {
  const isLong = sent.length > 1_000;
  const isEcho =
    (flaw === "repeats-secrets" && !isLong) || (flaw === "repeats-everything" && isLong);
  return isEcho ? `${answer}\nYou sent: ${sent}` : answer;
}
