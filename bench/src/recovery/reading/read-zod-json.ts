import { pointerOf } from "../pointer.ts";
import type { Complaint, ReadText } from "./complaint.ts";
import { placeAtKeys } from "./named-keys.ts";

/** zod's issues as JSON, as the AI SDK sends them after the arguments. */
export const readZodJson: ReadText = (text) => {
  const at = text.indexOf("Error message: [");
  if (at === -1) return [];
  try {
    const issues = JSON.parse(text.slice(at + "Error message: ".length)) as readonly Issue[];
    return issues.flatMap((issue) => complaintsOf(issue, []));
  } catch {
    return [];
  }
};

interface Issue {
  readonly message: string;
  readonly path: readonly (string | number)[];
  readonly errors?: readonly (readonly Issue[])[];
}

function complaintsOf(
  { message, path, errors = [] }: Issue,
  before: readonly string[],
): readonly Complaint[] {
  const keys = [...before, ...path.map(String)];
  const at = pointerOf(keys);
  const inside = errors.flatMap((variant, index) =>
    variant
      .flatMap((issue) => complaintsOf(issue, keys))
      .map((complaint) => ({ ...complaint, variant: { at, index } })),
  );
  return inside.length > 0 ? inside : placeAtKeys({ pointer: at, words: message });
}
