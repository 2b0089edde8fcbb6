import type { CaseTool } from "../conformance-case.ts";

/** As a GitHub MCP server declares it: owner, repository, and lists of strings. */
export const createIssue: CaseTool = {
  name: "create_issue",
  description: "Create a new issue in a GitHub repository.",
  inputSchema: {
    type: "object",
    properties: {
      owner: { type: "string", description: "Repository owner" },
      repo: { type: "string", description: "Repository name" },
      title: { type: "string", minLength: 1, maxLength: 256 },
      body: { type: "string" },
      assignees: { type: "array", items: { type: "string" } },
      labels: { type: "array", items: { type: "string" }, maxItems: 3, uniqueItems: true },
      milestone: { type: "number" },
    },
    required: ["owner", "repo", "title"],
  },
};

/** As a GitHub MCP server declares it: enums and paging. */
export const listIssues: CaseTool = {
  name: "list_issues",
  description: "List issues in a GitHub repository.",
  inputSchema: {
    type: "object",
    properties: {
      owner: { type: "string" },
      repo: { type: "string" },
      state: { type: "string", enum: ["open", "closed", "all"] },
      sort: { type: "string", enum: ["created", "updated", "comments"] },
      since: { type: "string", format: "date-time" },
      perPage: { type: "number", minimum: 1, maximum: 100 },
      page: { type: "number", minimum: 1 },
    },
    required: ["owner", "repo"],
  },
};

/** A parent that is a page or a database, without a tag. */
export const createPage: CaseTool = {
  name: "create_page",
  description: "Create a page below another page or in a database.",
  inputSchema: {
    type: "object",
    properties: {
      title: { type: "string" },
      parent: {
        anyOf: [
          {
            type: "object",
            properties: { page_id: { type: "string", format: "uuid" } },
            required: ["page_id"],
          },
          {
            type: "object",
            properties: { database_id: { type: "string", format: "uuid" } },
            required: ["database_id"],
          },
        ],
      },
    },
    required: ["title", "parent"],
  },
};

/** A union of references with a tag. */
export const notify: CaseTool = {
  name: "notify",
  description: "Send a notification over a channel.",
  inputSchema: {
    type: "object",
    $defs: {
      email: {
        type: "object",
        properties: {
          kind: { const: "email" },
          to: { type: "string", format: "email" },
          subject: { type: "string" },
        },
        required: ["kind", "to", "subject"],
        additionalProperties: false,
      },
      sms: {
        type: "object",
        properties: {
          kind: { const: "sms" },
          phone: { type: "string", pattern: "^\\+[0-9]{7,15}$" },
        },
        required: ["kind", "phone"],
        additionalProperties: false,
      },
    },
    properties: {
      message: { type: "string", minLength: 1 },
      channel: { oneOf: [{ $ref: "#/$defs/email" }, { $ref: "#/$defs/sms" }] },
    },
    required: ["message", "channel"],
    additionalProperties: false,
  },
};

/** Deep: passengers with documents, a date, an enum. */
export const bookFlight: CaseTool = {
  name: "book_flight",
  description: "Book a flight.",
  inputSchema: {
    type: "object",
    properties: {
      from: { type: "string", pattern: "^[A-Z]{3}$" },
      to: { type: "string", pattern: "^[A-Z]{3}$" },
      date: { type: "string", format: "date" },
      cabin: { enum: ["economy", "business"] },
      passengers: {
        type: "array",
        minItems: 1,
        maxItems: 9,
        items: {
          type: "object",
          properties: {
            name: { type: "string" },
            age: { type: "integer", minimum: 0, maximum: 120 },
            documents: {
              type: "array",
              items: {
                type: "object",
                properties: { type: { enum: ["passport", "id_card"] }, number: { type: "string" } },
                required: ["type", "number"],
              },
            },
          },
          required: ["name", "age"],
        },
      },
    },
    required: ["from", "to", "date", "passengers"],
    additionalProperties: false,
  },
};

/** A payment: dependent fields and a number that must be above zero. */
export const transferMoney: CaseTool = {
  name: "transfer_money",
  description: "Transfer money to an account.",
  inputSchema: {
    type: "object",
    properties: {
      to: { type: "string" },
      amount: { type: "number", exclusiveMinimum: 0, multipleOf: 0.5 },
      currency: { enum: ["EUR", "USD"] },
      schedule: { type: "string", format: "date" },
      timezone: { type: "string" },
    },
    required: ["to", "amount"],
    dependentRequired: { schedule: ["timezone"] },
    additionalProperties: false,
  },
};

/** Arbitrary headers and a password, which must never be shown. */
export const httpRequest: CaseTool = {
  name: "http_request",
  description: "Make an HTTP request.",
  inputSchema: {
    type: "object",
    properties: {
      url: { type: "string", format: "uri" },
      method: { enum: ["GET", "POST", "PUT", "DELETE"] },
      headers: { type: "object", additionalProperties: { type: "string", maxLength: 20 } },
      password: { type: "string", minLength: 12 },
      timeout: { type: "integer", minimum: 1, maximum: 60 },
    },
    required: ["url"],
    additionalProperties: false,
  },
};
