import { createRecentMap, isRecord } from "@toolcontract/core/adapter";

/** The argument that holds the mark. */
const MARK = "@toolcontract/refused";
const MAX_OPEN = 1_000;

/**
 * Marks of refused calls. Mastra tells those who decide about approvals the arguments of a call and not which call it is, and a refused
 * call may have the arguments of a valid one: two equal calls, of which one was too many, or `{}` in place of what cannot be read.
 */
export interface Marks {
  /** The arguments of a refused call with a mark, which no model can guess. */
  readonly put: (args: string) => string;
  /** Whether these are the arguments of a call that was refused here, and is not answered yet. */
  readonly isOpen: (input: unknown) => boolean;
  /** Notes that the call with these arguments is answered: its mark is of no use from now on. */
  readonly close: (input: unknown) => void;
}

/** Creates the marks of one agent; the latest 1,000 are open. */
export function createMarks(): Marks {
  const open = createRecentMap<unknown, true>(MAX_OPEN);
  return {
    put(args) {
      const mark = globalThis.crypto.randomUUID();
      open.set(mark, true);
      return JSON.stringify({ ...(JSON.parse(args) as object), [MARK]: mark });
    },
    isOpen: (input) => isMarked(input) && open.get(input[MARK]) === true,
    close(input) {
      if (isMarked(input)) open.take(input[MARK]);
    },
  };
}

/** Whether arguments have a mark, of this process or another. */
export function isMarked(input: unknown): input is { readonly [MARK]: unknown } {
  return isRecord(input) && Object.hasOwn(input, MARK);
}

/** Arguments as the model sent them. */
export function withoutMark(input: unknown): unknown {
  if (!isMarked(input)) return input;
  const { [MARK]: _, ...sent } = input;
  return sent;
}
