import type { CaseTool, JsonObject } from "../conformance-case.ts";

const filter = { $ref: "#/$defs/filter" };
const term = (more: string): JsonObject => ({
  type: "object",
  properties: { left: filter, [more]: { type: "integer" } },
  required: ["left", more],
});

/** A union of two kinds of node that share a field: each level doubles the ways to read a filter. */
export const sendReport: CaseTool = {
  name: "send_report",
  description: "Send the rows that a filter leaves.",
  inputSchema: {
    type: "object",
    properties: { filter, to: { enum: ["me"] } },
    required: ["filter", "to"],
    $defs: { filter: { anyOf: [{ type: "integer" }, term("above"), term("below")] } },
  },
};

const section = { $ref: "#/$defs/section" };

/** As generators write a type that extends another: both check the same child. */
export const moveSection: CaseTool = {
  name: "move_section",
  description: "Move a section of a document.",
  inputSchema: {
    type: "object",
    properties: { section, to: { enum: ["top", "end"] } },
    required: ["section", "to"],
    $defs: {
      base: { type: "object", properties: { child: section } },
      section: {
        allOf: [
          { $ref: "#/$defs/base" },
          { type: "object", properties: { child: section, title: { type: "string" } } },
        ],
      },
    },
  },
};

const LEVELS = 24;
const level = (number: number): JsonObject => ({ $ref: `#/$defs/level${number}` });

/** Definitions that name the next one twice: there are 2 to the power of 24 ways to the last. */
export const setLevel: CaseTool = {
  name: "set_level",
  description: "Set the level of a channel.",
  inputSchema: {
    type: "object",
    properties: { level: level(0) },
    required: ["level"],
    $defs: Object.fromEntries([
      ...Array.from({ length: LEVELS }, (_, number) => [
        `level${number}`,
        { anyOf: [level(number + 1), level(number + 1)] },
      ]),
      [`level${LEVELS}`, { type: "integer" }],
    ]) as JsonObject,
  },
};

/** A pattern that backtracks on a long string for years. */
export const tagPhoto: CaseTool = {
  name: "tag_photo",
  description: "Tag a photo.",
  inputSchema: {
    type: "object",
    properties: { photo: { type: "integer" }, tag: { type: "string", pattern: "^(a+)+$" } },
    required: ["photo", "tag"],
  },
};
