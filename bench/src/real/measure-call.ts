import { type ValidationError, createContract, parseRejection } from "@toolcontract/core";
import { pointerKeys } from "@toolcontract/core/adapter";
import { correctCall, followHints, parentOf, valueAt } from "@toolcontract/corrections";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { isSame } from "../hints/same-json.ts";
import { readContract } from "../recovery/reading/readers.ts";
import { type KnownCall, type RealCall, hasComparableAnswers } from "./real-calls.ts";

const ROUNDS = 3;
const contract = createContract({ logger: false });
let conversations = 0;

/** What the contract says of a call; undefined if the call runs. */
export async function messageFor(
  call: RealCall,
  text = call.arguments,
): Promise<string | undefined> {
  conversations += 1;
  const tool = call.known && call.tool ? { tool: call.tool } : {};
  const tools = (call.offered ?? []).map((name) => ({ name }));
  const admission = await contract.admit(
    { id: "call_1", name: call.called, arguments: text },
    { ...tool, tools, conversationId: String(conversations) },
  );
  return admission.status === "admitted" ? undefined : admission.result.content;
}

/** What became of a call that breaks its schema. */
export interface MeasuredCall {
  readonly call: KnownCall;
  readonly text: string;
  readonly tokens: number;
  readonly errors: readonly ValidationError[];
  /** The faults that no error of the message is about. */
  readonly unnamed: readonly string[];
  /** The errors whose hint leaves something wrong at their place. */
  readonly keptBy: readonly ValidationError[];
  readonly hints: number;
  /** Of the fields that hints change and whose answer is known: whether the new value is accepted. */
  readonly answered: readonly { readonly field: string; readonly accepted: boolean }[];
  readonly validByHints: boolean;
  /** After how many rounds of a reader who takes everything literally the call is valid. */
  readonly validAfter: number | undefined;
}

/** Measures a call of an offered tool that is refused; undefined if it runs. */
export async function measureCall(call: KnownCall): Promise<MeasuredCall | undefined> {
  const text = await messageFor(call);
  if (text === undefined) return undefined;
  const errors = parseRejection(text)?.errors ?? [];
  const args: unknown = call.json ? JSON.parse(call.arguments) : undefined;
  const hinted = errors.filter(({ hint }) => hint !== undefined);
  const corrected = followHints(args, errors);
  return {
    call,
    text,
    tokens: countTokens(text),
    errors,
    unnamed: (call.faults ?? []).map(({ at }) => at).filter((at) => !isNamed(at, errors)),
    hints: hinted.length,
    keptBy: hinted.filter((error) => keepsFault(call, args, error)),
    answered: answersOf(call, args, corrected, hinted),
    validByHints: corrected !== undefined && isValid(call, corrected),
    validAfter: await roundsOf(call, args, text),
  };
}

function isValid({ tool }: KnownCall, args: unknown): boolean {
  return contract.check(tool, args).status === "valid";
}

/** Whether an error is about a place: it is there or above it, or its hint brings a field there. */
function isNamed(at: string, errors: readonly ValidationError[]): boolean {
  return errors.some(({ fieldPath, hint = "" }) => {
    if (fieldPath === at || (fieldPath !== "" && at.startsWith(`${fieldPath}/`))) return true;
    if (parentOf(fieldPath) !== parentOf(at))
      return hint.endsWith("one level up") && isBelow(at, fieldPath);
    return (
      hint.endsWith(` to ${JSON.stringify(pointerKeys(at).at(-1))}`) ||
      hint.endsWith("one level up")
    );
  });
}

function isBelow(at: string, holder: string): boolean {
  return at.startsWith(`${parentOf(holder)}/`);
}

/** Whether anything is wrong at the same place once the hint is followed alone. */
function keepsFault(call: KnownCall, args: unknown, error: ValidationError): boolean {
  const changed = followHints(args, [error]);
  // Some hints only advise.
  if (isSame(changed, args)) return false;
  const checked = contract.check(call.tool, changed);
  const movesField = /^(?:rename|move)/.test(error.hint ?? "");
  return (
    checked.status === "invalid" &&
    checked.errors.some(
      ({ fieldPath, errorCode }) =>
        fieldPath === error.fieldPath && (!movesField || errorCode === error.errorCode),
    )
  );
}

function answersOf(
  call: KnownCall,
  args: unknown,
  corrected: unknown,
  hinted: readonly ValidationError[],
): MeasuredCall["answered"] {
  const { answers } = call;
  if (corrected === undefined || answers === null || !hasComparableAnswers(call)) return [];
  const fields = new Set<string>();
  for (const error of hinted) {
    const [field = ""] = pointerKeys(error.fieldPath);
    const renamed = / to (".*")$/.exec(error.hint ?? "")?.[1];
    const isTop = pointerKeys(error.fieldPath).length === 1;
    if (renamed !== undefined && isTop) fields.add(JSON.parse(renamed) as string);
    else if (!(error.hint ?? "").endsWith("one level up")) fields.add(field);
  }
  return [...fields].flatMap((field) => {
    const known = answers.filter((answer) => Object.hasOwn(answer, field));
    const isUnknown = known.length === 0;
    if (isUnknown) return [];
    const value = valueAt(corrected, `/${field}`);
    const isChanged = !isSame(value, valueAt(args, `/${field}`));
    if (!isChanged) return [];
    const accepted = known.some((answer) =>
      (answer[field] ?? []).some((one) => (value === undefined ? one === "" : isSame(one, value))),
    );
    return [{ field, accepted }];
  });
}

async function roundsOf(
  call: KnownCall,
  sent: unknown,
  first: string,
): Promise<number | undefined> {
  let args = sent;
  let text: string | undefined = first;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const next = correctCall(args, readContract(text ?? ""));
    if (isValid(call, next)) return round;
    if (isSame(next, args)) return undefined;
    args = next;
    text = await messageFor(call, JSON.stringify(args));
  }
  return undefined;
}
