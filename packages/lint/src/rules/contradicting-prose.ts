import { isRecord } from "@toolcontract/explain/adapter";
import {
  type FieldPlace,
  type RuleReport,
  type LintRule,
  type SchemaNode,
  descriptionOf,
} from "../shared/index.ts";

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
  if (isRequired && saysOf(text, "optional")) {
    return {
      message: `The description calls ${shown} optional, the schema requires it`,
      fix: "take it out of required",
    };
  }
  const isConditional = ["anyOf", "oneOf", "allOf", "if", "dependentRequired"].some((keyword) =>
    Object.hasOwn(parent.node, keyword),
  );
  const isClaimed = saysOf(text, "required") && !isConditional && !Object.hasOwn(node, "default");
  if (!isRequired && isClaimed) {
    return {
      message: `The description calls ${shown} required, the schema does not`,
      fix: "add it to required",
    };
  }
  const { default: standard } = node;
  const said = saidDefault(text, standard, parent.node);
  if (said === undefined) return undefined;
  return {
    message: `The description says that the default is ${said}, the schema says ${JSON.stringify(standard)}`,
  };
}

/** Whether a description begins or ends by calling its own field so; "required for …" and "(required)" of a part do not count. */
function saysOf(text: string, word: "optional" | "required"): boolean {
  const alone = new RegExp(`^\\s*(?:[([]${word}[)\\]]|${word}\\s*(?:[.:,;-]|$))`, "i");
  return alone.test(text) || new RegExp(`[([]${word}[)\\]]\\.?\\s*$`, "i").test(text);
}

const DEFAULT =
  /\bdefaults?(?: value)?(?: to| is|:|=)\s*(?:(["'`])([^"'`]{1,64})\1|(-?\d[\d,]*(?:\.\d+)?|[A-Za-z][\w-]*))(?=\s*(?:[,;)\]]|\.(?:\s|$)|$))/gi;
/** Words that say what a default is, and are none. */
const NO_VALUES =
  /^(?:the|a|an|none|null|nil|undefined|empty|no|nothing|current|today|now|all|any|latest|auto|automatic|unset)$/i;

/** The one default that a description states, if it is of the type of the schema's own and another one. */
function saidDefault(text: string, standard: unknown, parent: SchemaNode): string | undefined {
  const matches = [...text.matchAll(DEFAULT)];
  const [only] = matches;
  // Of several, each is one of a case.
  const mentions = text.match(/\bdefaults?\b/gi)?.length ?? 0;
  if (mentions !== 1 || !only) return undefined;
  const [, quote, quoted, bare = ""] = only;
  const said = quoted ?? bare;
  switch (typeof standard) {
    case "number": {
      const value = Number(said.replaceAll(",", ""));
      return /^-?\d/.test(said) && !Number.isNaN(value) && value !== standard ? said : undefined;
    }
    case "boolean":
      return /^(?:true|false)$/i.test(said) && said.toLowerCase() !== String(standard)
        ? said
        : undefined;
    case "string": {
      const isName = isRecord(parent["properties"]) && Object.hasOwn(parent["properties"], said);
      const isVariable = /^[A-Z][A-Z0-9]*_[A-Z0-9_]*$/.test(said);
      if (isName || isVariable || (quote === undefined && NO_VALUES.test(said))) return undefined;
      return standard.toLowerCase().includes(said.toLowerCase()) ? undefined : said;
    }
    default:
      return undefined;
  }
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
