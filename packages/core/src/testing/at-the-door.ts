import { createContract } from "../contract/index.ts";
import type { ValidationError } from "@toolcontract/explain";

/** Errors that a host brings, as core takes them in: sanitized, each member of its type. */
export async function atTheDoor(errors: readonly unknown[]): Promise<readonly ValidationError[]> {
  const contract = createContract({ format: { maxErrors: 100 }, logger: () => undefined });
  const call = { id: "call_1", name: "write_file", arguments: {} };
  const answer = await contract.reject(call, errors as readonly ValidationError[], { attempt: 1 });
  return answer.errors;
}
