import { checkMembers, nearestName } from "@toolcontract/core/adapter";
import type { SpendingLimit } from "./ledger/index.ts";
import { fail, shownOption } from "./option-faults.ts";
import { type Effect, GUARDRAIL_ROWS, checkClass } from "./shared/index.ts";
import { type AnyGuardrail, type PolicyOptions, commitFault } from "./transaction/index.ts";

/** The options that must fit each other; each of them fits its row. */
interface CheckedOptions extends PolicyOptions {
  readonly limits: ReadonlyMap<string, SpendingLimit>;
  readonly tools: readonly string[] | undefined;
}

/** Throws if an option contradicts another one, or a guardrail is not whole or could not do what it says. */
export function checkContradictions(options: CheckedOptions): void {
  checkUndoing(options);
  checkLocks(options);
  checkLimits(options);
  const names = new Set<string>();
  for (const [index, guardrail] of options.guardrails.entries()) {
    checkGuardrail(index, guardrail, options);
    const { name } = guardrail;
    if (names.has(name))
      fail(`two guardrails are called '${shownOption(name)}'. Their names must differ`);
    names.add(name);
  }
  checkCommit(options.tools ?? namedTools(options), options);
}

/** The tools that the options name, which the host must have. */
export function namedTools(options: PolicyOptions): readonly string[] {
  const { effects, locks, compensate, stateChanges, spends, guardrails } = options;
  return [
    ...new Set([
      ...[effects, locks, compensate, stateChanges, spends].flatMap((by) => Object.keys(by)),
      ...guardrails.flatMap(({ tools = [], watches = [] }) => [...tools, ...watches]),
    ]),
  ];
}

/** Throws if the host lacks a tool that the options name, and that is not said to be another agent's. */
export function checkNames(
  named: readonly string[],
  names: readonly string[],
  known: readonly string[] = [],
): void {
  const missing = named.find((name) => !names.includes(name) && !known.includes(name));
  if (missing === undefined) return;
  const near = nearestName(missing, names);
  if (near !== undefined)
    fail(`the host has no tool '${shownOption(missing)}'. Did you mean '${near}'?`);
  const own = names.length === 0 ? "The host has no tools" : `Its tools are ${names.join(", ")}`;
  fail(
    `the host has no tool '${shownOption(missing)}'. ${own}. If it is the tool of another agent, such as a sub-agent, pass the names of all tools as \`tools\`, such as tools: [${[missing, ...names.slice(0, 1)].map((name) => `"${shownOption(name)}"`).join(", ")}]`,
  );
}

/** Throws if a commit guardrail covers one of these tools of the host, and could not undo what it did. */
export function checkCommit(names: readonly string[], options: PolicyOptions): void {
  for (const guardrail of options.guardrails) {
    if (guardrail.stage !== "commit") continue;
    const fault = commitFault(guardrail, names, options);
    if (fault) fail(`guardrail '${shownOption(guardrail.name)}' ${fault.problem}. ${fault.fix}`);
  }
}

/** Throws for a function that would never be called. */
function checkUndoing({ effects, store, stateChanges, compensate }: CheckedOptions): void {
  for (const tool of Object.keys(stateChanges)) {
    if (!store) fail("`stateChanges` needs a `store`, such as slotStore({ … })");
    if (effectOf(tool, effects) !== "none") continue;
    fail(
      `\`stateChanges\` changes the state for '${shownOption(tool)}', whose effect is none. Declare effects: { ${shownOption(tool)}: "state" }`,
    );
  }
  for (const tool of Object.keys(compensate)) {
    const effect = effectOf(tool, effects);
    if (effect === "compensable") continue;
    const what =
      effect === undefined ? "which has no declared effect" : `whose effect is ${effect}`;
    fail(
      `\`compensate\` undoes '${shownOption(tool)}', ${what}. Declare effects: { ${shownOption(tool)}: "compensable" }`,
    );
  }
}

function effectOf(tool: string, effects: CheckedOptions["effects"]): Effect | undefined {
  return Object.hasOwn(effects, tool) ? effects[tool] : undefined;
}

function checkLocks({ locks, store }: CheckedOptions): void {
  for (const [tool, slots] of Object.entries(locks)) {
    if (!store) fail("`locks` needs a `store`, such as slotStore({ … })");
    if (slots.length > 0 && !store.slots) {
      fail(
        "`locks`: this store has no slots of its own, so its attempts never overlap; leave `locks` out",
      );
    }
    const missing = slots.find((slot) => store.slots?.includes(slot) !== true);
    if (missing !== undefined) {
      fail(
        `the locks of '${shownOption(tool)}' name '${shownOption(missing)}', which is not a slot of the store. Its slots are ${store.slots?.join(", ")}`,
      );
    }
  }
}

function checkLimits({ limits, spends }: CheckedOptions): void {
  const spending = Object.keys(spends).length;
  if (limits.size === 0 && spending > 0) {
    fail("`spends` needs `limits`, such as { budget: { max: 100 } }");
  }
}

function checkGuardrail(index: number, guardrail: AnyGuardrail, { store }: CheckedOptions): void {
  const { name, stage = "validate", needs } = guardrail;
  const isNamed = GUARDRAIL_ROWS.name.fits(name);
  const where = isNamed ? `guardrail '${shownOption(name)}'` : `guardrails[${index}]`;
  // Other packages' guardrails may have members of their own.
  checkMembers(`createGuardrails: ${where}`, guardrail, GUARDRAIL_ROWS, { allowsOthers: true });
  if (needs === "state" && !store) fail(`${where} needs the state, and there is no \`store\``);
  if (stage === "output" && (guardrail.class ?? guardrail.reason) !== undefined) {
    fail(`${where} judges a result that stays, so it closes no tool; leave \`class\` out`);
  }
  if (needs !== undefined && stage !== "validate") {
    fail(`${where}: \`needs\` is for guardrails of the stage "validate"; leave it out`);
  }
  checkClass(`createGuardrails: ${where}`, guardrail);
}
