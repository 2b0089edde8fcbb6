import { parseJson } from "@toolcontract/explain/adapter";
import type { Answered } from "../call/index.ts";
import { type Contract, isObserving } from "./contract.ts";

/** The text of a valid answer for a host that reads it by itself: the model's own, unless the contract read another value in it. */
export function answerText(
  text: string,
  { input }: Extract<Answered, { readonly status: "valid" }>,
  contract: Contract,
): string {
  if (isObserving(contract)) return text;
  const written = JSON.stringify(input);
  return JSON.stringify(parseJson(text)) === written ? text : written;
}
