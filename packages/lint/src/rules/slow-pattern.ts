import { compilePattern, isRecord } from "@toolcontract/explain/adapter";
import { type Place, type LintRule } from "../shared/index.ts";

/** Strings of this length must be decided at once. */
const LENGTH = 1_000;

/** A pattern that takes exponential or polynomial time. */
export const slowPattern: LintRule = {
  name: "slow-pattern",
  severity: "warning",
  about: "A regular expression can take seconds or hours on a short string that a model may send.",
  fix: "take out the repetition inside a repetition, or limit maxLength",
  *check({ places, pointerOf }) {
    for (const place of places) {
      const longest =
        typeof place.node["maxLength"] === "number" ? place.node["maxLength"] : Infinity;
      for (const [source, keys] of patternsOf(place)) {
        const { supported, maxLength } = compilePattern(source);
        if (!supported || maxLength >= Math.min(longest, LENGTH)) continue;
        yield {
          path: pointerOf(place, ...keys),
          message:
            maxLength < 0
              ? "Nobody can say how long this pattern takes"
              : `This pattern can be slow on strings of more than ${maxLength} characters`,
        };
      }
    }
  },
};

/** A pattern that JavaScript cannot read. */
export const patternUnreadable: LintRule = {
  name: "pattern-unreadable",
  severity: "warning",
  about: "A regular expression is not one of JavaScript, so many validators refuse or ignore it.",
  fix: "write it as ECMA-262 does: no (?i) inside, no possessive repetition, no \\Z",
  *check({ places, pointerOf }) {
    for (const place of places)
      for (const [source, keys] of patternsOf(place))
        if (LITERAL.test(source))
          yield {
            path: pointerOf(place, ...keys),
            message: "The slashes of a literal are part of the pattern, so nothing matches it",
            fix: "leave out the slashes and what follows them",
          };
        else if (!compilePattern(source).supported)
          yield { path: pointerOf(place, ...keys), message: "This pattern cannot be compiled" };
  },
};

/** A literal of JavaScript: what is before `^`, or behind `$`, can never match. */
const LITERAL = /^\/(?:\^.*|.*\$)\/[dgimsuvy]*$/;

function* patternsOf({ node }: Place): Generator<readonly [source: string, keys: string[]]> {
  const { pattern, patternProperties } = node;
  if (typeof pattern === "string") yield [pattern, ["pattern"]];
  if (isRecord(patternProperties))
    for (const source of Object.keys(patternProperties))
      yield [source, ["patternProperties", source]];
}
