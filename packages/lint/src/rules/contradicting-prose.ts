import { type FieldPlace, type RuleReport, type LintRule, descriptionOf } from "../shared/index.ts";

/** A description that says otherwise than the schema. */
export const descriptionContradicts: LintRule = {
  name: "description-contradicts",
  severity: "warning",
  about:
    "A description says that a field is optional, required or has a default, and the schema says otherwise.",
  fix: "make both say the same",
  *check({ fields, pointerOf }) {
    for (const field of fields) {
      const contradiction = contradictionOf(field);
      if (contradiction) yield { path: pointerOf(field), ...contradiction };
    }
  },
};

function contradictionOf({
  node,
  name,
  isRequired,
  parent,
}: FieldPlace): Omit<RuleReport, "path"> | undefined {
  const text = descriptionOf(node);
  const shown = JSON.stringify(name.slice(0, 64));
  if (isRequired && /^\s*[([]?optional\b|[([]optional[)\]]/i.test(text)) {
    return {
      message: `The description calls ${shown} optional, the schema requires it`,
      fix: "take it out of required",
    };
  }
  const isClaimed = /^\s*[([]?required\b(?! (?:if|when|for|unless|only))|[([]required[)\]]/i.test(
    text,
  );
  const isConditional = ["anyOf", "oneOf", "allOf", "if", "dependentRequired"].some((keyword) =>
    Object.hasOwn(parent.node, keyword),
  );
  if (!isRequired && isClaimed && !isConditional && !Object.hasOwn(node, "default")) {
    return {
      message: `The description calls ${shown} required, the schema does not`,
      fix: "add it to required",
    };
  }
  const said =
    /\bdefaults?(?: value)?(?: to| is|:|=)\s*["'`]?([\w.-]+?)["'`]?(?=[\s,;)]|\.(?:\s|$)|$)/i.exec(
      text,
    )?.[1];
  const { default: standard } = node;
  if (said === undefined || !["string", "number", "boolean"].includes(typeof standard))
    return undefined;
  const isComparable = typeof standard !== "number" || /^-?\d/.test(said);
  const isWord = typeof standard !== "boolean" || /^(?:true|false)$/i.test(said);
  if (!isComparable || !isWord || String(standard).toLowerCase() === said.toLowerCase())
    return undefined;
  if (typeof standard === "number" && Number(said) === standard) return undefined;
  if (
    typeof standard === "string" &&
    (standard.includes(said) || /^(?:the|a|an|none|null|empty|no)$/i.test(said))
  )
    return undefined;
  return {
    message: `The description says that the default is ${said}, the schema says ${JSON.stringify(standard)}`,
  };
}

/** An example that its own schema refuses. */
export const exampleInvalid: LintRule = {
  name: "example-invalid",
  severity: "warning",
  about: "An example is refused by the schema that it is an example of, and models copy examples.",
  fix: "correct the example",
  *check({ places, parts, pointerOf }) {
    if (!parts) return;
    for (const place of places) {
      const { examples, example: _, ...schema } = place.node;
      if (!Array.isArray(examples)) continue;
      for (const [index, example] of examples.entries()) {
        if (parts.accepts(schema, example)) continue;
        yield {
          path: pointerOf(place, "examples", String(index)),
          message: "This example is refused by its own schema",
        };
      }
    }
  },
};
