import type {
  CheckResult,
  InvalidArguments,
  ToolDefinition,
  ValidArguments,
} from "@toolcontract/core";
import { argumentsText, holdsExactNumbers, type Message } from "../wire/index.ts";
import type { CallInGate, ToolCallRequest } from "./call.ts";
import { FORWARD, type Ruling } from "./link.ts";
import type { GateServices } from "./options.ts";
import { isSoft } from "./soft/index.ts";

/** How the server's list of tools classifies a call. */
export type Judgement = ValidCall | InvalidCall | UnjudgedCall;

/** A valid call of a listed tool. */
export interface ValidCall {
  readonly kind: "valid";
  readonly tool: ToolDefinition;
  readonly checked: ValidArguments;
  /** What the server gets: the call as it came, or with repaired arguments. */
  readonly forward: Ruling;
}

/** An invalid call, or one of a tool that the server does not list. */
export interface InvalidCall {
  readonly kind: "invalid";
  /** The called tool; undefined if the server does not list it. */
  readonly tool: ToolDefinition | undefined;
  /** The tools that the server does list, if the called one is not among them. */
  readonly listed: readonly ToolDefinition[];
  /** What is wrong with the arguments of a listed tool. */
  readonly checked: InvalidArguments | undefined;
  /** Whether some servers accept it. */
  readonly isSoft: boolean;
}

/** A call that cannot be validated. */
export interface UnjudgedCall {
  readonly kind: "unjudged";
  readonly reason: "tool-list" | "schema";
  readonly tool: ToolDefinition | undefined;
}

/** Validates a call. If it looks invalid and the tool list may be outdated, requests the list first. */
export function judgeCall(
  inGate: CallInGate,
  services: GateServices,
): Judgement | Promise<Judgement> {
  const { call, link, flight } = inGate;
  const { lists, check, unvalidated } = services;
  const tool = lists.of(link).find(call.name);
  const checked = tool && check(tool, call.arguments, flight.signal);
  const isPlain = tool && !(checked instanceof Promise) && checked?.status === "valid";
  if (isPlain && !unvalidated.hasBrokenSchema(tool.name))
    return validCall(call, tool, checked, services);
  return judgeByFreshList(inGate, { tool, checked }, services);
}

function validCall(
  { message }: ToolCallRequest,
  tool: ToolDefinition,
  checked: ValidArguments,
  { settings, contract }: GateServices,
): ValidCall {
  const isRepairing = contract.settings.unwrapStrings !== false;
  const forward =
    settings.mode === "audit" ? FORWARD : forwardRepaired(message, checked, isRepairing);
  return { kind: "valid", tool, checked, forward };
}

/**
 * Replaces arguments only if something in them was repaired, and only if no number would change. Arguments that a client left
 * out are empty ones, which some servers require.
 */
function forwardRepaired(
  message: Message,
  { repairs, input }: ValidArguments,
  isRepairing: boolean,
): Ruling {
  const given = message["params"] as Message;
  const isLeftOut = isRepairing && given["arguments"] === undefined;
  if (repairs.length === 0 && !isLeftOut) return FORWARD;
  const params = { ...given, arguments: input ?? {} };
  if (!holdsExactNumbers(params)) return FORWARD;
  return { kind: "forward", message: { ...message, params } };
}

interface FirstLook {
  readonly tool: ToolDefinition | undefined;
  readonly checked: CheckResult | Promise<CheckResult> | undefined;
}

async function judgeByFreshList(
  inGate: CallInGate,
  first: FirstLook,
  services: GateServices,
): Promise<Judgement> {
  const { call, link, flight } = inGate;
  const { lists, check, unvalidated, contract } = services;
  const signal = flight.signal();
  let list = lists.of(link);
  let { tool } = first;
  let checked = await first.checked;
  const isCertain = list.isFresh() && (tool !== undefined || list.all() !== undefined);
  if (checked?.status !== "valid" && !isCertain) {
    const isKnown = await lists.refresh(link, call.message);
    signal.throwIfAborted();
    list = lists.of(link);
    const listed = list.find(call.name);
    // A page that arrived is good for its tools, even if a later page failed.
    if (!isKnown && !(listed && list.isFresh())) {
      return { kind: "unjudged", reason: "tool-list", tool };
    }
    if (listed !== tool) checked = listed && (await check(listed, call.arguments, flight.signal));
    tool = listed;
  }
  signal.throwIfAborted();
  if (tool && unvalidated.hasBrokenSchema(tool.name)) {
    return { kind: "unjudged", reason: "schema", tool };
  }
  if (tool && checked?.status === "valid") return validCall(call, tool, checked, services);
  const invalid =
    tool && checked?.status === "invalid"
      ? await withDigits(checked, call, tool, check)
      : undefined;
  const listed = tool ? [] : (list.all() ?? []);
  // A stage can only judge valid calls, so softness does not matter to it.
  const soft =
    !contract.settings.runsTools && (await mayBeAccepted(inGate, tool, invalid, services));
  signal.throwIfAborted();
  return { kind: "invalid", tool, listed, checked: invalid, isSoft: soft };
}

/** Says of a number that parsing has rounded what was sent; that another one was rounded is not a fault, for the server gets its digits. */
async function withDigits(
  invalid: InvalidArguments,
  { message, arguments: args }: ToolCallRequest,
  tool: ToolDefinition,
  check: GateServices["check"],
): Promise<InvalidArguments> {
  const text = argumentsText(message);
  const exact = text === undefined ? undefined : await check(tool, args, undefined, text);
  if (exact?.status !== "invalid") return invalid;
  const errors = invalid.errors.map(
    (error) =>
      exact.errors.find(
        ({ fieldPath, errorCode }) =>
          fieldPath === error.fieldPath && errorCode === error.errorCode,
      ) ?? error,
  );
  return { ...invalid, errors };
}

async function mayBeAccepted(
  { call }: CallInGate,
  tool: ToolDefinition | undefined,
  invalid: InvalidArguments | undefined,
  { check }: GateServices,
): Promise<boolean> {
  // Servers may accept names that they do not list.
  if (tool === undefined) return true;
  return invalid !== undefined && isSoft(invalid, tool, call.arguments, check);
}
