import type { CaseTool } from "../conformance-case.ts";

/** As the sequential-thinking MCP server declares it: draft-07 written by zod. */
export const sequentialThinking: CaseTool = {
  name: "sequentialthinking",
  description: "A tool for dynamic and reflective problem-solving.",
  inputSchema: {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: {
      thought: { type: "string", description: "Your current thinking step" },
      nextThoughtNeeded: { type: "boolean" },
      thoughtNumber: { type: "integer", minimum: 1, maximum: 9_007_199_254_740_991 },
      totalThoughts: { type: "integer", minimum: 1, maximum: 9_007_199_254_740_991 },
      isRevision: { type: "boolean" },
    },
    required: ["thought", "nextThoughtNeeded", "thoughtNumber", "totalThoughts"],
  },
};

/** As a Python server writes it: titles everywhere, and null for optional fields. */
export const queryTable: CaseTool = {
  name: "query_table",
  description: "Query a table of the warehouse.",
  inputSchema: {
    type: "object",
    title: "query_tableArguments",
    properties: {
      table: { title: "Table", type: "string" },
      columns: { title: "Columns", type: "array", items: { type: "string" } },
      limit: {
        title: "Limit",
        anyOf: [{ type: "integer", minimum: 1, maximum: 1000 }, { type: "null" }],
        default: null,
      },
      order: {
        title: "Order",
        anyOf: [{ $ref: "#/$defs/Order" }, { type: "null" }],
        default: null,
      },
    },
    required: ["table"],
    $defs: {
      Order: {
        title: "Order",
        type: "object",
        properties: {
          by: { title: "By", type: "string" },
          direction: { enum: ["asc", "desc"], title: "Direction", type: "string" },
        },
        required: ["by"],
      },
    },
  },
};

/** As a GitHub MCP server declares it: files as a list of objects. */
export const pushFiles: CaseTool = {
  name: "push_files",
  description: "Push multiple files to a GitHub repository in a single commit.",
  inputSchema: {
    type: "object",
    properties: {
      owner: { type: "string", description: "Repository owner" },
      repo: { type: "string", description: "Repository name" },
      branch: { type: "string", description: "Branch to push to" },
      files: {
        type: "array",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["path", "content"],
          properties: {
            path: { type: "string", description: "path to the file" },
            content: { type: "string", description: "file content" },
          },
        },
      },
      message: { type: "string", description: "Commit message" },
    },
    required: ["owner", "repo", "branch", "files", "message"],
  },
};

/** As zod 4 writes it: 2020-12, closed, a default that the model may leave out. */
export const searchNotes: CaseTool = {
  name: "search_notes",
  description: "Search the notes.",
  inputSchema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      query: { type: "string", minLength: 2 },
      tags: { type: "array", prefixItems: [{ type: "string" }], items: { type: "string" } },
      place: {
        type: "object",
        properties: { line: { type: "integer" }, offset: { type: "integer" } },
        oneOf: [{ required: ["line"] }, { required: ["offset"] }],
      },
      page: { type: "integer", minimum: 1, default: 1 },
    },
    required: ["query"],
    additionalProperties: false,
  },
};
