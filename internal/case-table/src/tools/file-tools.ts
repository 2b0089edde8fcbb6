import type { CaseTool } from "../conformance-case.ts";

/** The tool of the contract's own example: closed, with an enum and a range. */
export const writeFile: CaseTool = {
  name: "write_file",
  description: "Write text to a file.",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string", maxLength: 4096 },
      content: { type: "string", maxLength: 1_048_576 },
      encoding: { enum: ["utf-8", "ascii", "utf-16"] },
      mode: { type: "integer", minimum: 0, maximum: 511 },
    },
    required: ["path", "content"],
    additionalProperties: false,
  },
};

/** One required field and one optional enum. */
export const readFile: CaseTool = {
  name: "read_file",
  description: "Read a file.",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string", minLength: 1, maxLength: 4096 },
      encoding: { enum: ["utf-8", "ascii", "utf-16"] },
    },
    required: ["path"],
    additionalProperties: false,
  },
};

/** As the filesystem MCP server declares it: draft-07, open, a default. */
export const editFile: CaseTool = {
  name: "edit_file",
  description: "Make line-based edits to a text file.",
  inputSchema: {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: {
      path: { type: "string" },
      edits: {
        type: "array",
        items: {
          type: "object",
          properties: {
            oldText: { type: "string", description: "Text to search for - must match exactly" },
            newText: { type: "string", description: "Text to replace with" },
          },
          required: ["oldText", "newText"],
        },
      },
      dryRun: { type: "boolean", default: false, description: "Preview changes" },
    },
    required: ["path", "edits"],
  },
};

/** As the filesystem MCP server declares it: optional numbers. */
export const readTextFile: CaseTool = {
  name: "read_text_file",
  description: "Read the complete contents of a file as text.",
  inputSchema: {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: {
      path: { type: "string" },
      tail: { type: "number", description: "If provided, returns only the last N lines" },
      head: { type: "number", description: "If provided, returns only the first N lines" },
    },
    required: ["path"],
  },
};

/** As the filesystem MCP server declares it: a non-empty list of strings. */
export const readMultipleFiles: CaseTool = {
  name: "read_multiple_files",
  description: "Read the contents of multiple files simultaneously.",
  inputSchema: {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: { paths: { type: "array", items: { type: "string" }, minItems: 1 } },
    required: ["paths"],
  },
};

/** A tool without parameters, as the filesystem MCP server has one. */
export const listAllowedDirectories: CaseTool = {
  name: "list_allowed_directories",
  description: "Returns the list of directories that this server may access.",
  inputSchema: {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: {},
  },
};
