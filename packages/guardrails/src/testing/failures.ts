import { classifyFailure } from "../outcome/index.ts";
import type { ClassifiedFailure } from "../outcome/index.ts";
import type { Classification } from "../shared/index.ts";

/** The clock of these tests. */
const NOW = Date.UTC(2026, 10, 22, 9, 0, 0);

/** What a failure is found to be. */
export function failureOf(error: unknown, args: unknown = {}, thrown = true): ClassifiedFailure {
  return classifyFailure(error, { tool: "t", args, thrown }, { now: NOW });
}

/** How a failure is classified; undefined if it is none. */
export function classOf(error: unknown, args: unknown = {}): Classification | undefined {
  const failure = failureOf(error, args);
  return failure.kind === "failure" ? failure.classification : undefined;
}

/** What a function throws, or its promise rejects with. */
export async function thrownBy(run: () => unknown): Promise<unknown> {
  try {
    await run();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

/** The world failed. */
export function extrinsic(error_type: string): Classification {
  return { class: "extrinsic", retriable: false, error_type };
}

/** Another call may work. */
export function adaptive(error_type: string): Classification {
  return { class: "adaptive", retriable: true, error_type };
}

/** The tool's code is wrong. */
export function intrinsic(error_type: string): Classification {
  return { class: "intrinsic", retriable: false, error_type };
}

/** An error with a code, as Node's. */
export function withCode(code: string, fields: object = {}): Error {
  return Object.assign(new Error(`it failed: ${code}`), { code, ...fields });
}
