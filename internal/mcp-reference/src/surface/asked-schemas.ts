import type { Json } from "./tool.ts";

const OPTIONS = ["option1", "option2", "option3"];
const TITLED = ["value1", "value2", "value3"].map((value) => ({
  const: value,
  title: `Choice ${value}`,
}));

/** Who the user is. */
export const ASKED_USER: Json = {
  type: "object",
  properties: { username: { type: "string" }, email: { type: "string" } },
  required: ["username", "email"],
};

/** A default in every simple type. */
export const ASKED_DEFAULTS: Json = {
  type: "object",
  properties: {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  },
  required: [],
};

/** Every kind of choice for the user. */
export const ASKED_ENUMS: Json = {
  type: "object",
  properties: {
    untitledSingle: { type: "string", enum: OPTIONS },
    titledSingle: { type: "string", oneOf: TITLED },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["First", "Second", "Third"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: OPTIONS } },
    titledMulti: { type: "array", items: { anyOf: TITLED } },
  },
  required: [],
};
