import { holdsToken, sharedCache } from "@toolcontract/explain/adapter";
import { type LintRule, type SchemaNode, join } from "../shared/index.ts";
import { textsIn } from "./hidden-instructions.ts";
import { isMisspeltType } from "./keyword-misspelt.ts";

/** Parts of a schema that no validator can apply. */
export const schemaBroken: LintRule = {
  name: "schema-broken",
  severity: "warning",
  about:
    "A keyword has a value that JSON Schema does not allow, so validators refuse the schema or ignore the keyword.",
  fix: "correct the keyword",
  numbers:
    "Twelve real calls had no verdict of a strict validator because the schema of their MCP server does not compile.",
  *check({ tool, places: all, pointerOf }) {
    const { inputSchema: schema } = tool;
    if (schema === undefined) return;
    const { warnings, places } = sharedCache({}).get(schema);
    for (const pointer of places?.["keyword-left-out"] ?? []) {
      // A type that is nearly one has a rule of its own.
      const place = all.find((one) => `${one.pointer}/type` === pointer);
      if (place && isMisspeltType(place.node)) continue;
      yield {
        path: tool.at.inputSchema + pointer,
        message: "This keyword has no meaning as it is written",
      };
    }
    for (const pointer of places?.["keyword-misspelt"] ?? []) {
      // Misspelt types have a rule of their own.
      if (!pointer.endsWith("/required")) continue;
      yield {
        path: tool.at.inputSchema + pointer,
        message: "required of a field is a list of names of its object",
        fix: "name the field in required of the object around it",
      };
    }
    for (const place of all)
      if (isNullableForNothing(place.node))
        yield {
          path: pointerOf(place, "nullable"),
          message: "nullable beside no type means nothing, so null is refused",
          fix: 'write anyOf with { "type": "null" } as one of its branches',
        };
    if (warnings.has("schema-not-compiled"))
      yield {
        path: tool.at.inputSchema,
        message: "The schema does not compile, so nothing is enforced",
      };
    if (warnings.has("unknown-dialect"))
      yield {
        path: join(tool.at.inputSchema, "$schema"),
        message: "This dialect of JSON Schema is unknown",
      };
  },
};

/** Whether `nullable` stands where only other keywords say which values pass. */
function isNullableForNothing(node: SchemaNode): boolean {
  return (
    node["nullable"] === true &&
    node["type"] === undefined &&
    ["allOf", "oneOf", "anyOf", "$ref"].some((keyword) => Object.hasOwn(node, keyword))
  );
}

/** A key or a token in what every client reads. */
export const secretShown: LintRule = {
  name: "secret-shown",
  severity: "warning",
  about: "A description, a default or an example holds what looks like a key.",
  fix: "replace it by a made-up one, and revoke it",
  *check({ tool }) {
    for (const [pointer, text] of textsIn(tool.source))
      if (holdsToken(text))
        yield { path: pointer, message: "The text holds what looks like a key or a token" };
  },
};

/** What a tool costs in every request. */
export const tokenCost: LintRule = {
  name: "token-cost",
  severity: "info",
  about: "The declaration of a tool is sent with every request, and long ones crowd out the task.",
  fix: "shorten descriptions, leave out what the model never sets, or split the server",
  *check({ tool, tokens }, { tools, limits }) {
    const about = limits.areTokensEstimated ? "about " : "";
    if (tokens > limits.toolTokens)
      yield { path: "", message: `The tool takes ${about}${tokens} tokens of every request` };
    if (tool !== tools[0]?.tool) return;
    const all = tools.reduce((sum, one) => sum + one.tokens, 0);
    if (all > limits.listTokens)
      yield {
        path: "",
        message: `All ${tools.length} tools take ${about}${all} tokens of every request`,
      };
  },
};
