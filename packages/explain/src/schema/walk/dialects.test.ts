import { describe, expect, test } from "vitest";
import { explainedInWords } from "../../testing/explained.ts";

const DRAFTS = {
  "draft-04": "http://json-schema.org/draft-04/schema#",
  "draft-06": "http://json-schema.org/draft-06/schema#",
  "draft-07": "http://json-schema.org/draft-07/schema#",
  "2019-09": "https://json-schema.org/draft/2019-09/schema",
  "2020-12": "https://json-schema.org/draft/2020-12/schema",
} as const;
type Draft = keyof typeof DRAFTS;

const item = { type: "integer" };

const rows: readonly (readonly [draft: Draft, object, unknown])[] = [
  ["draft-06", { propertyNames: { maxLength: 1 } }, { ab: 1 }],
  ["draft-06", { contains: item }, ["a"]],
  // An older schema that has it means it.
  ["draft-04", { const: 1 }, 2],
  ["draft-04", { dependencies: { a: ["b"] } }, { a: 1 }],
  ["draft-07", { if: item, then: { minimum: 5 } }, 1],
  ["draft-07", { if: item, else: false }, "a"],
  ["2019-09", { contains: item, minContains: 2 }, [1]],
  ["2019-09", { contains: item, maxContains: 1 }, [1, 1]],
  ["2019-09", { dependentRequired: { a: ["b"] } }, { a: 1 }],
  ["2019-09", { dependentSchemas: { a: { required: ["b"] } } }, { a: 1 }],
  ["2019-09", { unevaluatedProperties: false }, { a: 1 }],
  ["2019-09", { unevaluatedItems: false }, [1]],
  ["2020-12", { prefixItems: [item] }, ["a"]],
];

describe.each([false, true])(
  "interpreter %s: a keyword means nothing in a dialect that does not have it",
  (interpreter) => {
    const order = Object.keys(DRAFTS) as Draft[];
    test.each(
      rows.flatMap(([since, schema, value]) =>
        order.map((draft) => ({
          draft,
          schema,
          value,
          isKnown: order.indexOf(draft) >= order.indexOf(since),
        })),
      ),
    )("$draft: $schema", ({ draft, schema, value, isKnown }) => {
      const sent = { q: value };
      const whole = { $schema: DRAFTS[draft], type: "object", properties: { q: schema } };
      expect(explainedInWords(whole, sent, interpreter) !== undefined).toBe(isKnown);
    });
  },
);
