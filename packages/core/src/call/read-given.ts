import { ToolContractError } from "@toolcontract/explain";
import { isAnyObject } from "../kit/index.ts";
import { type TextCall, type ToolCall, givenName, madeId } from "../shared/index.ts";

/** A call as a host hands it over. */
export type GivenCall = ToolCall | TextCall;

/** Where APIs put what a contract needs under another name. */
const OF_APIS: readonly string[] = ["args", "input", "function", "parameters", "toolName"];

/**
 * Reads a call: free text becomes its arguments, and what a gateway left out does not stop it. A missing id is made from `place`, so
 * that the same call of the same turn has the same one; a name that is not a string is the name of no tool.
 *
 * @throws ToolContractError if the host hands over the shape of an API: the contract would judge less than what came.
 */
export function readGiven(method: string, given: GivenCall, place?: string): ToolCall {
  checkForm(method, given);
  const { id, name, text } = given as { readonly [Member in keyof TextCall]?: unknown };
  const call =
    given.arguments === undefined && typeof text === "string"
      ? { ...given, arguments: text }
      : given;
  if (typeof id === "string" && typeof name === "string") return call as ToolCall;
  return {
    ...(call as ToolCall),
    id: typeof id === "string" ? id : madeId(place),
    name: givenName(name),
  };
}

/** Reads the calls of a message. */
export function readGivenTurn(
  method: string,
  given: readonly GivenCall[],
  turnId: string | undefined,
): readonly ToolCall[] {
  const place = typeof turnId === "string" ? turnId : undefined;
  return given.map((call, index) =>
    readGiven(method, call, place === undefined ? undefined : `${place}:${index}`),
  );
}

function checkForm(method: string, given: GivenCall): void {
  const isCall = isAnyObject(given) && "name" in given;
  const isRaw =
    isCall &&
    ("call_id" in given ||
      (given.arguments === undefined &&
        given.text === undefined &&
        OF_APIS.some((member) => member in given)));
  if (isCall && !isRaw) return;
  throw new ToolContractError(
    `contract.${method}: a call must be { id: string, name: string, arguments }, or { id, name, text } for free text.${isRaw ? " Read the calls of an API's message with `read` of @toolcontract/core/wire." : ""}`,
  );
}
