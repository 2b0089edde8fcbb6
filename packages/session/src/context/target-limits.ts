import { ToolContractError } from "@toolcontract/core";
import type { TargetLimits } from "../shared/index.ts";

/** A target as the guard knows it: its names, and what fits into one request. */
export interface GuardedTarget extends TargetLimits {
  /** The provider, as events name it. */
  readonly provider: string;
  /** The model, as events name it. */
  readonly model: string;
}

/** A target with a context window, and the largest request that it takes, in tokens. */
export interface Ceiling {
  readonly provider: string;
  readonly model: string;
  readonly limit: number;
}

/** What is kept free of a window unless the target says otherwise, because tokens are estimated. */
export function defaultBuffer(window: number): number {
  return Math.ceil(window / 10);
}

/** The targets with a window, and their limits: window - buffer - room for the answer. Throws if nothing is left. */
export function ceilingsOf(targets: readonly GuardedTarget[]): readonly Ceiling[] {
  return targets.flatMap((target, index) => {
    const { provider, model, contextWindow: window } = target;
    const where = `createContextGuard: targets[${index}]`;
    checkTokens(`${where}.contextWindow`, window, 1);
    checkTokens(`${where}.contextWindowBufferTokens`, target.contextWindowBufferTokens, 0);
    checkTokens(`${where}.maxOutputTokens`, target.maxOutputTokens, 0);
    if (window === undefined) return [];
    const { contextWindowBufferTokens: buffer = defaultBuffer(window), maxOutputTokens = 0 } =
      target;
    const limit = window - buffer - maxOutputTokens;
    if (limit > 0) return [{ provider, model, limit }];
    throw new ToolContractError(
      `${where}: contextWindow ${window} leaves no room for a prompt: contextWindowBufferTokens takes ${buffer} and ` +
        `maxOutputTokens takes ${maxOutputTokens}. Raise contextWindow, or lower one of the others.`,
    );
  });
}

function checkTokens(name: string, value: number | undefined, minimum: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= minimum)) return;
  throw new ToolContractError(`${name} must be a whole number of at least ${minimum}.`);
}
