import type { ParseOptions } from "../arguments/index.ts";
import type { Faults } from "../observe/index.ts";
import { type ToolValidator, createToolValidator } from "./validate.ts";
import type { CallOptions } from "./services.ts";
import { sharedSchemaCache } from "../schema/index.ts";
import type { Sanitizer } from "../sanitize/index.ts";
import { type Rule, type ToolDefinition, checkDefinition, isPromiseLike } from "../shared/index.ts";

/** Everything needed to check calls of one tool, computed once per tool. */
export interface ToolPlan {
  /** The tool's name. */
  readonly tool: string;
  readonly validator: ToolValidator;
  /** The tool's own rules, then those of the contract's options. */
  readonly rules: readonly Rule<never>[];
  /** The validator's fast path, if there are no rules and no extra strictness. */
  readonly accepts: ToolValidator["accepts"];
  readonly parsing: ParseOptions;
  readonly options: CallOptions;
  readonly sanitizer: Sanitizer;
  /** Reports a fault of core's own; the call continues. */
  readonly onFault: (stage: string, thrown: unknown) => void;
}

/** The plans of a contract's tools. */
export interface ToolPlans {
  readonly get: (tool: ToolDefinition) => ToolPlan;
}

/** Creates a cache of plans that keeps no tool alive. */
export function createToolPlans(
  options: CallOptions,
  sanitizer: Sanitizer,
  faults: Faults,
): ToolPlans {
  const cache = sharedSchemaCache(options);
  const plans = new WeakMap<ToolDefinition, ToolPlan>();

  function plan(tool: ToolDefinition): ToolPlan {
    checkDefinition(tool);
    const { name } = tool;
    const onFault = (stage: string, thrown: unknown): void => faults.report(stage, thrown, name);
    const validator = createToolValidator(tool, cache, onFault);
    const extra = Object.hasOwn(options.rules, name) ? (options.rules[name] ?? []) : [];
    const rules = [...(tool.rules ?? []), ...extra].map((rule) =>
      watchCallback(rule, (thrown, [, { signal }]) => {
        // A rule that stops because the call was cancelled did not fail.
        if (signal?.aborted !== true) onFault("rule", thrown);
      }),
    );
    const redact = options.redact.map((redactor) =>
      watchCallback(redactor, (thrown) => onFault("redactor", thrown)),
    );
    const isPlain = rules.length === 0 && options.unknownFields === "schema";
    const { repairJson, closeDangling } = options;
    const parsing = { repairJson, closeDangling };
    return {
      tool: name,
      validator,
      rules,
      accepts: isPlain ? validator.accepts : undefined,
      parsing,
      options: { ...options, redact },
      sanitizer,
      onFault,
    };
  }

  return {
    get(tool) {
      const known = plans.get(tool);
      if (known) return known;
      const made = plan(tool);
      plans.set(tool, made);
      return made;
    },
  };
}

/** Wraps a host callback: reports what it throws or rejects with, then rethrows. */
function watchCallback<Arguments extends readonly unknown[], Result>(
  callback: (...args: Arguments) => Result,
  onFault: (thrown: unknown, args: Arguments) => void,
): (...args: Arguments) => Result {
  return (...args) => {
    const fail = (thrown: unknown): never => {
      onFault(thrown, args);
      throw thrown;
    };
    try {
      const answer = callback(...args);
      // Call `then` only once: a lazy promise runs again for every call.
      return isPromiseLike(answer) ? (Promise.resolve(answer).catch(fail) as Result) : answer;
    } catch (thrown) {
      return fail(thrown);
    }
  };
}
