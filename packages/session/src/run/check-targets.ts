import { ToolContractError } from "@toolcontract/core";
import { isObject, nearestName, wholeFrom } from "@toolcontract/core/adapter";
import { defaultBuffer } from "../context/index.ts";
import type { Target, TokenPrice } from "../shared/index.ts";
import { requestTimes } from "./request-times.ts";

/** Throws if there is no target, or one whose numbers leave no room for a prompt. */
export function checkTargets(where: string, targets: unknown): void {
  if (!Array.isArray(targets) || targets.length === 0) {
    throw new ToolContractError(
      `${where}: option 'targets' must name at least one model, such as [{ model }].`,
    );
  }
  for (const [index, target] of (targets as readonly unknown[]).entries()) {
    checkTarget(`${where}: targets[${index}]`, target);
  }
}

function isPrice(given: unknown): boolean {
  if (!isObject.fits(given)) return false;
  const { input, output, cachedInput = 0, ...others } = given as Partial<TokenPrice>;
  const numbers = [input, output, cachedInput];
  const areDollars = numbers.every((one) => typeof one === "number" && one >= 0 && one < Infinity);
  return areDollars && Object.keys(others).length === 0;
}

const TARGET_MEMBERS: readonly (keyof Target<unknown>)[] = [
  "model",
  "settings",
  "contextWindow",
  "contextWindowBufferTokens",
  "maxOutputTokens",
  "requestTimeout",
  "price",
];

function checkTarget(where: string, given: unknown): void {
  if (!isObject.fits(given) || !("model" in (given as object))) {
    throw new ToolContractError(`${where} must be an object with a model, such as { model }.`);
  }
  const target = given as Target<unknown>;
  const stray = Object.keys(target).find((name) => !TARGET_MEMBERS.some((one) => one === name));
  if (stray !== undefined) {
    const near = nearestName(stray, TARGET_MEMBERS);
    const advice =
      near === undefined ? `It takes ${TARGET_MEMBERS.join(", ")}.` : `Did you mean '${near}'?`;
    throw new ToolContractError(
      `${where} has an unknown member '${stray.slice(0, 64)}'. ${advice}`,
    );
  }
  const {
    model,
    settings,
    contextWindow,
    contextWindowBufferTokens: buffer,
    maxOutputTokens,
  } = target;
  if (model === undefined || model === null) {
    throw new ToolContractError(
      `${where}: \`model\` is ${String(model)}. Pass a model of the framework.`,
    );
  }
  if (settings !== undefined && !isObject.fits(settings)) {
    throw new ToolContractError(
      `${where}: \`settings\` must be an object, such as { temperature: 0.2 }.`,
    );
  }
  if (target.requestTimeout !== undefined && !requestTimes.fits(target.requestTimeout)) {
    throw new ToolContractError(`${where}: \`requestTimeout\` must be ${requestTimes.wants}.`);
  }
  if (target.price !== undefined && !isPrice(target.price)) {
    throw new ToolContractError(
      `${where}: \`price\` must be an object of US dollars for a million tokens, such as { input: 2.5, output: 10 }.`,
    );
  }
  for (const [name, value] of Object.entries({
    contextWindow,
    contextWindowBufferTokens: buffer,
    maxOutputTokens,
  })) {
    const least = name === "contextWindow" ? 1 : 0;
    if (value === undefined || wholeFrom(least).fits(value)) continue;
    throw new ToolContractError(
      `${where}: \`${name}\` must be ${wholeFrom(least).wants}, in tokens.`,
    );
  }
  if (contextWindow === undefined) return;
  const reserved = (buffer ?? defaultBuffer(contextWindow)) + (maxOutputTokens ?? 0);
  if (reserved < contextWindow) return;
  throw new ToolContractError(
    `${where}: a contextWindow of ${contextWindow} tokens is not larger than contextWindowBufferTokens + maxOutputTokens, which are ${reserved}. Lower these.`,
  );
}
