import { nearestName } from "@toolcontract/core/adapter";
import { type PolicyOptions, commitFault } from "./transaction/index.ts";
import { fail, isListOfNames, objectIn, shown } from "./option-faults.ts";
import { TERMINAL_REASONS, isTerminalReason } from "./shared/index.ts";

/** The guardrails, and what decides whether they can be kept. */
type Definitions = Pick<PolicyOptions, "guardrails" | "effects" | "store">;

/** Throws if a guardrail is not whole, or could not do what it says. */
export function checkGuardrails(options: Definitions): void {
  const names = new Set<string>();
  for (const [index, guardrail] of options.guardrails.entries()) {
    const given = objectIn(`guardrails[${index}]`, guardrail, '{ name: "known_sku", check }');
    const { name } = given;
    if (typeof name !== "string" || name.trim() === "") {
      fail(`guardrails[${index}] needs a name, such as { name: "known_sku", … }`);
    }
    if (names.has(name)) {
      fail(`two guardrails are called '${shown(name)}'. Their names must differ`);
    }
    names.add(name);
    checkGuardrail(`guardrail '${shown(name)}'`, given, options);
  }
}

function checkGuardrail(
  where: string,
  given: Readonly<Record<string, unknown>>,
  { store }: Definitions,
): void {
  const { check, tools, watches, stage = "validate", needs, hint, reason } = given;
  const kind = given["class"];
  if (typeof check !== "function") fail(`${where} needs a function check({ args, state })`);
  if (tools !== undefined && !isListOfNames(tools)) {
    fail(`${where}: \`tools\` must be an array of tool names, such as ["add_item"]`);
  }
  if (tools?.length === 0) {
    fail(
      `${where}: \`tools\` is empty, so it would never be asked. Name its tools, or leave it out for all`,
    );
  }
  if (watches !== undefined && !isListOfNames(watches)) {
    fail(`${where}: \`watches\` must be an array of tool names, such as ["read_secret"]`);
  }
  checkSpelling(where, given);
  if (stage !== "validate" && stage !== "commit" && stage !== "output") {
    fail(`${where}: \`stage\` must be "validate", "commit" or "output"`);
  }
  if (needs !== undefined && needs !== "args" && needs !== "state") {
    fail(`${where}: \`needs\` must be "args" or "state"`);
  }
  if (needs === "state" && !store) fail(`${where} needs the state, and there is no \`store\``);
  if (stage === "output" && (kind ?? reason) !== undefined) {
    fail(`${where} judges a result that stays, so it closes no tool; leave \`class\` out`);
  }
  if (needs !== undefined && stage !== "validate") {
    fail(`${where}: \`needs\` is for guardrails of the stage "validate"; leave it out`);
  }
  if (hint !== undefined && typeof hint !== "string") fail(`${where}: \`hint\` must be a string`);
  checkClass(where, kind, reason);
}

/** Throws if a commit guardrail covers one of these tools of the host, and could not undo what it did. */
export function checkCommit(names: readonly string[], definitions: Definitions): void {
  for (const guardrail of definitions.guardrails) {
    if (guardrail.stage !== "commit") continue;
    const fault = commitFault(guardrail, names, definitions);
    if (fault) fail(`guardrail '${shown(guardrail.name)}' ${fault.problem}. ${fault.fix}`);
  }
}

/** Other packages' guardrails may have members of their own, but none that looks like a misspelt one. */
function checkSpelling(where: string, given: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(given)) {
    if (MEMBERS.includes(name)) continue;
    const near = nearestName(name, MEMBERS);
    if (near !== undefined) fail(`${where} has no '${shown(name)}'. Did you mean '${near}'?`);
  }
}

const MEMBERS = ["name", "tools", "watches", "stage", "needs", "hint", "class", "reason", "check"];

function checkClass(where: string, kind: unknown, reason: unknown): void {
  if (kind === undefined || kind === "recoverable_guardrail") {
    if (reason === undefined) return;
    fail(`${where}: only a terminal guardrail has a reason; add class: "terminal_guardrail"`);
  }
  if (kind !== "terminal_guardrail") {
    fail(`${where}: \`class\` must be "recoverable_guardrail" or "terminal_guardrail"`);
  }
  if (isTerminalReason(reason)) return;
  fail(
    `${where} is terminal and needs a reason: ${TERMINAL_REASONS.join(", ")}, or one of your own in \`terminalReasons\``,
  );
}
